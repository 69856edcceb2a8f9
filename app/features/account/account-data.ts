import type { ShopClient } from '#app/backend/client.ts';
import { profileFrom } from '#domain/profile.ts';
import type { ProfileFields } from './profile-fields.ts';

/** The profile as it is stored; an empty row is made on the first visit. Throws when it cannot be read. */
export async function loadProfile(client: ShopClient, userId: string): Promise<ProfileFields> {
  const [{ data: row, error }, session] = await Promise.all([
    client
      .from('user_profiles')
      .select('full_name, phone, building_no, street, city, state, zip')
      .eq('user_id', userId)
      .maybeSingle(),
    client.auth.getSession(),
  ]);
  if (error) throw error;
  if (!row) await client.from('user_profiles').insert({ user_id: userId }); // refused when another tab was first: fine
  return {
    fullName: row?.full_name || nameIn(session.data.session?.user.user_metadata ?? {}),
    ...profileFrom(row),
  };
}

/**
 * The row is the profile: once it is stored, the profile is saved. The account's metadata only mirrors it (SQL mirrors the
 * name in a trigger), and this browser's session reads the name from there. That call fails where the session was ended on
 * another device, which does not make the saved profile any less saved.
 */
export async function saveProfile(client: ShopClient, userId: string, fields: ProfileFields): Promise<boolean> {
  const { fullName, phone, buildingNo, street, city, state, zip } = fields;
  const address = { building_no: buildingNo, street, city, state, zip };
  try {
    const row = { user_id: userId, full_name: fullName, phone, ...address, updated_at: new Date().toISOString() };
    const stored = await client.from('user_profiles').upsert(row);
    if (stored.error) return false;
  } catch {
    return false;
  }
  await client.auth.updateUser({ data: { name: fullName, full_name: fullName, address } }).catch(() => null);
  return true;
}

function nameIn(metadata: Record<string, unknown>): string {
  return (
    ([metadata.full_name, metadata.name].find((name) => typeof name === 'string' && name.trim() !== '') as string) ?? ''
  );
}
