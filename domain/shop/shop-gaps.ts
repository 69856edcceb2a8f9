/** The shop's facts as the console and the database name them. */
export type ShopFields = {
  name: string;
  legal_name: string;
  address: string;
  state: string;
  fssai_number: string;
  gstin: string;
  email: string;
  whatsapp_number: string;
  instagram_url: string;
  facebook_url: string;
  grievance_officer: string;
  grievance_email: string;
  grievance_phone: string;
  grievance_hours: string;
};

export type ShopGap = { field: keyof ShopFields; title: string; meaning: string };

const needed: readonly (ShopGap & { others?: readonly (keyof ShopFields)[] })[] = [
  {
    field: 'legal_name',
    title: 'Legal name',
    meaning: 'E-commerce rules require the seller’s registered name on the site.',
  },
  {
    field: 'address',
    title: 'Address',
    meaning: 'E-commerce rules require your head office address on the site. It also appears on invoices.',
  },
  {
    field: 'state',
    title: 'State',
    meaning: 'Decides whether invoices show CGST and SGST, or IGST.',
  },
  {
    field: 'fssai_number',
    title: 'FSSAI licence',
    meaning: 'Food can’t be sold without it. The number is shown on the site and on every invoice.',
  },
  {
    field: 'gstin',
    title: 'GSTIN',
    meaning: 'Needed for tax invoices. Ask your accountant whether your shop is small enough to be exempt.',
  },
  {
    field: 'email',
    title: 'Email or WhatsApp',
    meaning: 'Customers must be able to contact you before and after they buy.',
    others: ['whatsapp_number'],
  },
  {
    field: 'grievance_officer',
    title: 'Grievance officer',
    meaning: 'E-commerce rules require a named person who acknowledges complaints within 48 hours.',
  },
  {
    field: 'grievance_email',
    title: 'Grievance officer’s contact',
    meaning: 'An email address or phone number for complaints.',
    others: ['grievance_phone'],
  },
];

/** What is missing before the shop may lawfully sell, and what each thing is for. */
export function shopGaps(facts: ShopFields): ShopGap[] {
  const isEmpty = (field: keyof ShopFields) => facts[field].trim() === '';
  return needed
    .filter(({ field, others = [] }) => [field, ...others].every(isEmpty))
    .map(({ field, title, meaning }) => ({ field, title, meaning }));
}
