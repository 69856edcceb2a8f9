export type Wish = { wish: string; shopName: string; whatsappNumber: string; email: string };

/** Links with a prepared message to the shop; null for a channel the shop does not have. */
export function sweetRequestLinks({ wish, shopName, whatsappNumber, email }: Wish): {
  whatsapp: string | null;
  mail: string | null;
} {
  const message = `Hello ${shopName}, I looked for “${wish}” and couldn’t find it. Could you make it for me?`;
  const number = whatsappNumber.replace(/\D/g, '');
  const to = encodeURIComponent(email).replaceAll('%40', '@');
  const letter = `subject=${encodeURIComponent(`Do you have ${wish}?`)}&body=${encodeURIComponent(message)}`;
  return {
    whatsapp: number ? `https://wa.me/${number}?text=${encodeURIComponent(message)}` : null,
    mail: email ? `mailto:${to}?${letter}` : null,
  };
}
