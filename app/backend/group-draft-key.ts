/** Where a browser keeps the list of a group order until it is paid: names and addresses of others, which a logout removes. */
export const groupDraftKey = 'mithaas-group-draft';
