const key = 'mithaas-console-couriers';
const most = 8;

/** Couriers that were typed on this machine, latest first. */
export function rememberedCouriers(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

export function rememberCourier(typed: string): void {
  const courier = typed.trim();
  if (courier === '') return;
  const others = rememberedCouriers().filter((name) => name !== courier);
  localStorage.setItem(key, JSON.stringify([courier, ...others].slice(0, most)));
}
