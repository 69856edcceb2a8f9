export const categories = ['Halwa', 'Chocolate', 'Laddu', 'Takeaway', 'Gift'] as const;
export type Category = (typeof categories)[number];
