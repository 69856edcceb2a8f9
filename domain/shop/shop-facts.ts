/** What the shop says of itself, from its settings; all but the name may be empty. */
export type ShopFacts = {
  name: string;
  legalName: string;
  address: string;
  fssaiNumber: string;
  gstin: string;
  email: string;
  whatsappNumber: string;
  instagramUrl: string;
  facebookUrl: string;
  grievanceOfficer: string;
  grievanceEmail: string;
  grievancePhone: string;
  grievanceHours: string;
};

export type Contact = { text: string; href: string };

/** +919876543210 as people read it: +91 98765 43210. */
export const readablePhone = (number: string): string => number.replace(/^(\+91)[ -]?(\d{5})(\d{5})$/, '$1 $2 $3');

/** Who sells, as one line: the legal name and the address. */
export const sellerOf = ({ name, legalName, address }: ShopFacts): string =>
  [legalName || name, address.replaceAll(/,?\s*\n\s*/g, ', ')].filter(Boolean).join(', ');

/** Where complaints go: to the grievance officer, and where none is named to the shop itself. */
export function complaintContacts(shop: ShopFacts): Contact[] {
  const email = shop.grievanceEmail || shop.email;
  const phone = shop.grievancePhone || shop.whatsappNumber;
  return [
    ...(email ? [{ text: email, href: `mailto:${email}` }] : []),
    ...(phone ? [{ text: readablePhone(phone), href: `tel:${phone}` }] : []),
  ];
}
