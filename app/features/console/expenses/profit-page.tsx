import { href } from 'react-router';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { BarChart } from '#app/ui/charts/bar-chart.tsx';
import { FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { type ProfitYear, readProfit } from '#contracts/console/profit.ts';
import { z } from '#contracts/z.ts';
import { financialYearName, isMonth, monthName, monthShort } from '#domain/expenses/months.ts';
import { formatPaise, formatPaiseShort } from '#domain/money.ts';
import { csvRequest } from '../data/download.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { DownloadButton } from '../list/download-button.tsx';
import { useUrlState } from '../list/url-state.ts';
import { Closing } from './closing.tsx';
import { MonthTable } from './month-table.tsx';

import { Statement } from './statement.tsx';
import { useFinancialYear, yearInAddress } from './use-financial-year.ts';
import { YearChoice } from './year-choice.tsx';

const State = z.object({
  year: yearInAddress,
  month: z.string().refine(isMonth).catch('').default(''),
});

/** A financial year by months, and one of them, or all, line by line. */
export function ProfitPage() {
  const [state, set, hrefFor] = useUrlState(State);
  const { year, current } = useFinancialYear(state.year);
  const { data, isPending, isLoadingError, refetch, isPlaceholderData } = useShopQuery(readProfit, { year });

  return (
    <ConsolePage
      title="Profit and loss"
      back={{ to: href('/admin/expenses'), label: 'Expenses' }}
      actions={
        <>
          <YearChoice
            year={year}
            current={current}
            first={data?.first_year ?? year}
            onChange={(chosen) => set({ year: chosen, month: '' })}
          />
          <ButtonLink size="small" to={`${href('/admin/expenses/gst')}?year=${year}`}>
            GST
          </ButtonLink>
          <Button size="small" onClick={() => window.print()}>
            Print
          </Button>
          <DownloadButton
            request={csvRequest('profit', { year })}
            fileName={`profit-and-loss-${financialYearName(year)}.csv`}
          >
            Export CSV
          </DownloadButton>
        </>
      }
    >
      {isPending && (
        <LoadingShape>
          <BlankPanel hasChart />
          <BlankPanel lines={12} />
        </LoadingShape>
      )}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && (
        <>
          <Panel title={`Financial year ${financialYearName(data.year)}`}>
            <YearChart year={data} />
          </Panel>
          <MonthTable
            year={data}
            chosen={state.month}
            isStale={isPlaceholderData}
            hrefFor={(month) => hrefFor({ month })}
          />
          <Sheet year={data} month={state.month} onChange={refetch} />
        </>
      )}
    </ConsolePage>
  );
}

function YearChart({ year: { months } }: { year: ProfitYear }) {
  return (
    <BarChart
      title="Net sales and profit by month"
      isTitleHidden
      labels={months.map(({ month }) => monthShort(month))}
      series={[
        { label: 'Net sales', values: months.map(({ figures }) => figures.net_sales_paise) },
        { label: 'Profit', values: months.map(({ figures }) => figures.profit_paise) },
      ]}
      format={(value) => formatPaise(value)}
      formatAxis={formatPaiseShort}
    />
  );
}

function Sheet({ year, month, onChange }: { year: ProfitYear; month: string; onChange(): void }) {
  const chosen = year.months.find((one) => one.month === month);
  const figures = chosen?.figures ?? year.total;
  if (!figures) return null;
  const title = chosen ? monthName(chosen.month) : `Whole year ${financialYearName(year.year)}`;
  return (
    <Panel title={title}>
      {chosen && <Closing key={chosen.month} month={chosen} today={year.today} onChange={onChange} />}
      <Statement
        caption={title}
        figures={figures}
        billTaxPaise={(chosen ? [chosen] : year.months).reduce((sum, { bill_tax_paise }) => sum + bill_tax_paise, 0)}
        year={chosen ? year.total : null}
      />
    </Panel>
  );
}
