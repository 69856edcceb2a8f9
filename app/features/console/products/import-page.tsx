import { type ChangeEvent, useState } from 'react';
import { href, Link } from 'react-router';
import { keep } from '#app/backend/files.ts';
import { Button, buttonClass } from '#app/ui/button.tsx';
import { Loading, Panel } from '#app/ui/panel.tsx';
import { importProducts, type PlannedRow } from '#contracts/console/products.ts';
import { decodeCsv } from '#domain/csv/read-csv.ts';
import { csvLine } from '#domain/csv/write-csv.ts';
import { productColumns, productHeadings } from '#domain/products/product-columns.ts';
import { type ProductFileRow, productFileLimits, readProductFile } from '#domain/products/read-product-file.ts';
import { useCategories } from '../data/categories.tsx';
import { csvRequest } from '../data/download.ts';
import { useRequests } from '../data/requests.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { wholePlan } from './import-data.ts';
import styles from './import-page.module.css';
import { ImportPlanView } from './import-plan.tsx';
import { removePictures } from './picture-files.ts';

type ReadFile = { name: string; rows: ProductFileRow[]; ignoredHeadings: string[] };
type Step =
  | { at: 'start'; problem: string | null }
  | { at: 'looking'; file: ReadFile }
  | {
      at: 'planned';
      file: ReadFile;
      rows: PlannedRow[];
      fingerprint: string | null;
      problem: string | null;
      isBusy: boolean;
    }
  | { at: 'done'; added: number; changed: number };

/** Product file: looked at first, row by row; then imported exactly so, or not at all. */
export function ImportPage() {
  const [step, setStep] = useState<Step>({ at: 'start', problem: null });
  const { act, client } = useRequests();
  const { names } = useCategories();

  async function choose(event: ChangeEvent<HTMLInputElement>) {
    const chosen = event.target.files?.[0];
    event.target.value = '';
    if (!chosen) return;
    const decoded = decodeCsv(new Uint8Array(await chosen.arrayBuffer()), productFileLimits);
    if (!decoded.ok) return setStep({ at: 'start', problem: `${chosen.name}: ${decoded.message}` });
    const read = readProductFile(decoded.text, names);
    if (!read.ok) {
      const place = read.line === null ? '' : `, line ${read.line}`;
      return setStep({ at: 'start', problem: `${chosen.name}${place}: ${read.message}` });
    }
    await look({ name: chosen.name, ...read });
  }

  async function look(file: ReadFile) {
    setStep({ at: 'looking', file });
    const unreadable = file.rows.filter(({ problems }) => problems.length > 0);
    const rows = rowsToSend(file);
    if (rows.length === 0)
      return setStep({
        at: 'planned',
        file,
        rows: wholePlan(unreadable, []),
        fingerprint: null,
        problem: null,
        isBusy: false,
      });
    const outcome = await act(importProducts, { rows, dry_run: true });
    if (!outcome.ok) return setStep({ at: 'start', problem: outcome.message });
    if (!('rows' in outcome.value)) throw new Error('asked for a plan, and products were imported');
    const { fingerprint, rows: planned } = outcome.value;
    const plan = wholePlan(unreadable, planned);
    setStep({ at: 'planned', file, rows: plan, fingerprint, problem: null, isBusy: false });
  }

  async function apply() {
    if (step.at !== 'planned' || step.isBusy) return;
    setStep({ ...step, isBusy: true, problem: null });
    const asked = { rows: rowsToSend(step.file), dry_run: false, fingerprint: step.fingerprint };
    const outcome = await act(importProducts, asked);
    if (!outcome.ok) return setStep({ ...step, isBusy: false, problem: outcome.message });
    if ('rows' in outcome.value) throw new Error('asked for an import, and only a plan was made');
    const { added, changed, unused_images } = outcome.value;
    if (unused_images.length > 0) void client().then((shop) => removePictures(shop, unused_images));
    setStep({ at: 'done', added, changed });
  }

  return (
    <ConsolePage title="Import products" back={{ to: href('/admin/products'), label: 'Products' }}>
      {(step.at === 'start' || step.at === 'done') && (
        <>
          {step.at === 'done' && (
            <p role="status" className={styles.done}>
              <strong>Imported.</strong> {step.added} added, {step.changed} changed.{' '}
              <Link to={`${href('/admin/products')}?sort=changed&order=down`}>View products</Link>
            </p>
          )}
          {step.at === 'start' && step.problem && (
            <p role="alert" className={styles.problem}>
              {step.problem}
            </p>
          )}
          <Panel title="Product file">
            <div className={styles.start}>
              <p>Choose a CSV file. You’ll see what changes in each row before anything is saved.</p>
              <label className={buttonClass({ variant: 'primary' }, styles.file)}>
                Choose file
                <input type="file" accept=".csv,text/csv" onChange={choose} />
              </label>
              <p>To change many products at once, export your products first. For new products, use the template.</p>
              <div className={styles.moves}>
                <DownloadButton request={csvRequest('products', { state: 'all' })} fileName="products.csv">
                  Export all products
                </DownloadButton>
                <Button size="small" onClick={() => keep(template(), 'products-template.csv')}>
                  Download template
                </Button>
              </div>
            </div>
          </Panel>
          <Columns />
        </>
      )}
      {step.at === 'looking' && (
        <Panel title={`Checking ${step.file.name}…`}>
          <Loading rows={6} />
        </Panel>
      )}
      {step.at === 'planned' && (
        <ImportPlanView
          fileName={step.file.name}
          ignoredHeadings={step.file.ignoredHeadings}
          rows={step.rows}
          problem={step.problem}
          isBusy={step.isBusy}
          onApply={apply}
          onAgain={() => look(step.file)}
          onStop={() => setStep({ at: 'start', problem: null })}
        />
      )}
    </ConsolePage>
  );
}

function rowsToSend({ rows }: ReadFile) {
  return rows.filter(({ problems }) => problems.length === 0).map(({ line, values }) => ({ line, values }));
}

/** The headings and one product to write over. Spreadsheets know UTF-8 by its mark. */
function template(): Blob {
  const example = ['', 'Kesar Peda', 'Gift', '450', '500', '10', 'piece', '400', '5', '2106', 'veg', '10'];
  const more = [
    'Khoya, sugar, saffron',
    'Milk',
    'Refrigerate',
    '',
    'Soft peda with saffron.',
    '',
    '',
    'no',
    'no',
    '180',
  ];
  return new Blob(
    [
      '\uFEFF',
      csvLine(productHeadings),
      csvLine([...example, ...more, 'Milky, with saffron.', 'In a tin, cushioned.', '']),
    ],
    { type: 'text/csv' },
  );
}

function Columns() {
  return (
    <Panel title="Columns">
      <p className={styles.words}>
        Columns are matched by heading, in any order. Missing columns stay unchanged. A row without an Id updates the
        product with that name, or adds a new one.
      </p>
      <dl className={styles.columns}>
        {productColumns.map(({ heading, hint }) => (
          <div key={heading}>
            <dt>{heading}</dt>
            <dd>{hint}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
