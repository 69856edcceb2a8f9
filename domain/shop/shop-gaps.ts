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
    meaning: 'The e-commerce rules want customers to see who sells to them, by the name in your registration.',
  },
  {
    field: 'address',
    title: 'Address',
    meaning: 'The e-commerce rules want the address of your head office on the site, and invoices begin with it.',
  },
  {
    field: 'state',
    title: 'State',
    meaning: 'It decides whether an invoice shows CGST and SGST, or IGST.',
  },
  {
    field: 'fssai_number',
    title: 'FSSAI licence',
    meaning: 'Nobody may sell food without it, and its number stands on the site and on every invoice.',
  },
  {
    field: 'gstin',
    title: 'GSTIN',
    meaning:
      'Without it there are no tax invoices. Ask your accountant whether your shop is small enough to do without.',
  },
  {
    field: 'email',
    title: 'E-mail or WhatsApp',
    meaning: 'Customers must find a way to reach you before and after they buy.',
    others: ['whatsapp_number'],
  },
  {
    field: 'grievance_officer',
    title: 'Grievance officer',
    meaning: 'The e-commerce rules want somebody named who acknowledges complaints within 48 hours.',
  },
  {
    field: 'grievance_email',
    title: 'Contact of the grievance officer',
    meaning: 'An e-mail address or a phone number at which complaints arrive.',
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
