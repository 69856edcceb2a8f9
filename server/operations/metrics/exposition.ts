/** Prometheus' text format: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Record<string, string>;
export type Sample = { suffix?: string; labels?: Labels; value: number };
export type Metric = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; samples: Sample[] };

export function asText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map(({ suffix = '', labels, value }) => `${name}${suffix}${inBraces(labels)} ${value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
    })
    .join('');
}

export const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** One value per name, such as orders by status. */
export function labelled(
  type: 'counter' | 'gauge',
  name: string,
  help: string,
  label: string,
  values: Record<string, number>,
): Metric {
  const samples = Object.entries(values).map(([of, value]) => ({ labels: { [label]: of }, value }));
  return { name, help, type, samples };
}

function inBraces(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
