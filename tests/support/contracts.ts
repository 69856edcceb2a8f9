import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../supabase/contracts/contract.ts';

const folder = join(import.meta.dirname, '../../supabase/contracts');

/** Every contract there is, by the name of its function. */
export async function allContracts(): Promise<Map<string, Contract>> {
  const contracts = new Map<string, Contract>();
  for (const file of globSync('**/*.ts', { cwd: folder })) {
    for (const exported of Object.values(await import(join(folder, file)))) {
      if (!isContract(exported)) continue;
      if (contracts.has(exported.name)) throw new Error(`${exported.name} has two contracts`);
      contracts.set(exported.name, exported);
    }
  }
  return contracts;
}

function isContract(exported: unknown): exported is Contract {
  return typeof exported === 'object' && exported !== null && 'args' in exported && 'result' in exported;
}
