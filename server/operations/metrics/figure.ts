import { Counter, Gauge, type Registry } from 'prom-client';

/** A figure at one scrape: one value, or one per value of a label, such as orders by status. */
export type Figure = {
  name: string;
  help: string;
  type?: 'counter' | 'gauge';
  value: number | { label: string; values: Record<string, number> };
};

export const gauge = (name: string, help: string, value: number): Figure => ({ name, help, value });

export const labelled = (name: string, help: string, label: string, values: Record<string, number>): Figure => ({
  name,
  help,
  value: { label, values },
});

/** Adds a figure to the registry of one scrape. */
export function register({ name, help, type = 'gauge', value }: Figure, registry: Registry): void {
  const isSingle = typeof value === 'number';
  if (!isSingle && Object.keys(value.values).length === 0) return;
  const settings = { name, help, labelNames: isSingle ? [] : [value.label], registers: [registry] };
  const metric = type === 'counter' ? new Counter(settings) : new Gauge(settings);
  if (isSingle) metric.inc(value);
  else for (const [key, one] of Object.entries(value.values)) metric.inc({ [value.label]: key }, one);
}
