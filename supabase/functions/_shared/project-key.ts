import { z } from 'zod';

type Environment = { get(name: string): string | undefined };

const Named = z.record(z.string(), z.string().min(1));

/** The project's secret key: by name in newer projects, alone in older ones. */
export function secretKeyOf(environment: Environment): string {
  const named = Named.safeParse(jsonOf(environment.get('SUPABASE_SECRET_KEYS')));
  const key = named.data?.default ?? Object.values(named.data ?? {})[0] ?? environment.get('SUPABASE_SERVICE_ROLE_KEY');
  if (!key) throw new Error('SUPABASE_SECRET_KEYS is not set for this function');
  return key;
}

function jsonOf(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
