/** Where a tab keeps a gift's note and recipient until it is bought; private words, which a logout removes. */
export const parcelKey = 'mithaas-parcel';
