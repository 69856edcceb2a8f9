import type { ShopContext } from '#app/shop-context.ts';
import { boxPage } from '#contracts/boxes.ts';
import { call } from '#contracts/contract.ts';
import type { BoxPage } from '#domain/boxes/box.ts';
import { boxPageFrom } from '#domain/boxes/read-box-page.ts';

/** The sizes and the sweets that fit. */
export async function loadBoxPage({ read }: ShopContext): Promise<BoxPage> {
  return boxPageFrom(await call(read, boxPage, {}));
}
