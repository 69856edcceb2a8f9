/** The people of the demo shop; the seed knows them by the same ids. */
export const demoAccounts = [
  { id: 1001, name: 'Priya Sharma', email: 'priya@example.com', role: 'customer' },
  { id: 1002, name: 'Rahul Verma', email: 'rahul@example.com', role: 'customer' },
  { id: 1003, name: 'Asha Rao', email: 'asha@example.com', role: 'administrator' },
] as const;
