import { href } from 'react-router';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { type GstMonth as Month, readGst } from '#contracts/console/profit.ts';
import { z } from '#contracts/z.ts';
import { type GstRow, type GstSums, netOf, quantityOf, signed, taxOf } from '#domain/documents/gst-summary.ts';
import { financialYearName, monthName } from '#domain/expenses/months.ts';
import { formatPaise } from '#domain/money.ts';
import { csvRequest } from '../data/download.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { useUrlState } from '../list/url-state.ts';
import styles from './gst-page.module.css';
import { useFinancialYear, yearInAddress } from './use-financial-year.ts';
import { YearChoice } from './year-choice.tsx';

const State = z.object({
  year: yearInAddress,
});

/** What the accountant needs of a financial year: GST by month, HSN and rate, and the invoices themselves. */
export function GstPage() {
  const [state, set] = useUrlState(State);
  const { year, current } = useFinancialYear(state.year);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(readGst, { year });
  const name = financialYearName(year);

  return (
    <ConsolePage
      title="GST"
      back={{ to: href('/admin/expenses'), label: 'Expenses' }}
      actions={
        <>
          <YearChoice
            year={year}
            current={current}
            first={data?.first_year ?? year}
            onChange={(chosen) => set({ year: chosen })}
          />
          <DownloadButton request={csvRequest('gst', { year })} fileName={`gst-${name.replace('–', '-')}.csv`}>
            Export summary CSV
          </DownloadButton>
          <DownloadButton request={csvRequest('documents', { year })} fileName={`invoices-${name}.csv`}>
            Export all invoices CSV
          </DownloadButton>
        </>
      }
    >
      {isPending && (
        <LoadingShape className={styles.months}>
          <BlankPanel title={`Financial year ${name}`} lines={2} />
          <BlankPanel lines={6} />
          <BlankPanel lines={6} />
        </LoadingShape>
      )}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <div className={styles.months} aria-busy={isPlaceholderData || undefined}>
          {data.months.length === 0 ? (
            <EmptyState title="No invoices this year." text="An invoice is issued when an order is packed." />
          ) : (
            <>
              <YearSum name={name} months={data.months} />
              {data.months.toReversed().map((month) => (
                <MonthPanel key={month.month} month={month} />
              ))}
            </>
          )}
        </div>
      )}
    </ConsolePage>
  );
}

const counted = (count: number, one: string) => `${count.toLocaleString('en-IN')} ${count === 1 ? one : `${one}s`}`;

function YearSum({ name, months }: { name: string; months: Month[] }) {
  const net = netOf(months.flatMap(({ rows }) => rows));
  const facts: [string, number][] = [
    ['Taxable value', net.taxable_paise],
    ['CGST', net.cgst_paise],
    ['SGST', net.sgst_paise],
    ['IGST', net.igst_paise],
    ['Total tax', taxOf(net)],
  ];
  return (
    <Panel title={`Financial year ${name}`}>
      <dl className={styles.sums}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatPaise(value)}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        By invoice date, which is the day of packing. Credit notes are subtracted in the month they were issued.
      </p>
    </Panel>
  );
}

function MonthPanel({ month: { month, invoices, credit_notes, rows } }: { month: Month }) {
  return (
    <Panel
      title={monthName(month)}
      actions={
        <DownloadButton request={`invoice?month=${month}`} fileName={`invoices-${month}.zip`}>
          Download invoices ZIP
          <span className="visually-hidden"> of {monthName(month)}</span>
        </DownloadButton>
      }
    >
      <p className={styles.note}>
        {counted(invoices, 'invoice')}, {counted(credit_notes, 'credit note')}
      </p>
      <div className={styles.frame}>
        <DataTable
          caption={`GST of ${monthName(month)} by HSN and rate`}
          columns={columns}
          rows={rows.map(signed).map(lineOf)}
          total={totalOf(netOf(rows))}
          rowKey={({ key }) => key}
          empty={null}
        />
      </div>
    </Panel>
  );
}

type Line = { key: string; hsn: string; rate: string; documents: string; quantity: string; sums: GstSums };

const lineOf = (row: GstRow): Line => ({
  key: `${row.hsn} ${row.gst_percent} ${row.series}`,
  hsn: row.hsn,
  rate: `${row.gst_percent}%`,
  documents: row.series === 'invoice' ? 'Invoices' : 'Credit notes',
  quantity: quantityOf(row),
  sums: row,
});
const totalOf = (sums: GstSums): Line => ({ key: 'total', hsn: '', rate: '', documents: 'Total', quantity: '', sums });

const columns: readonly Column<Line>[] = [
  { key: 'documents', title: 'Documents', cell: ({ documents }) => documents },
  { key: 'hsn', title: 'HSN', cell: ({ hsn }) => hsn },
  { key: 'rate', title: 'Rate', align: 'end', cell: ({ rate }) => rate },
  { key: 'quantity', title: 'Quantity', align: 'end', cell: ({ quantity }) => quantity },
  { key: 'taxable', title: 'Taxable value', align: 'end', cell: ({ sums }) => formatPaise(sums.taxable_paise) },
  { key: 'cgst', title: 'CGST', align: 'end', cell: ({ sums }) => formatPaise(sums.cgst_paise) },
  { key: 'sgst', title: 'SGST', align: 'end', cell: ({ sums }) => formatPaise(sums.sgst_paise) },
  { key: 'igst', title: 'IGST', align: 'end', cell: ({ sums }) => formatPaise(sums.igst_paise) },
];
