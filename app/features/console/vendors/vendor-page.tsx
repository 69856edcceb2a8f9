import { useState } from 'react';
import { href, useNavigate } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { BlankPanel, LoadingShape } from '#app/ui/loading-shapes.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast.tsx';
import { readVendor, type Vendor } from '#contracts/console/vendors.ts';
import { z } from '#contracts/z.ts';
import { useShopQuery } from '../data/shop-query.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useUrlState } from '../list/url-state.ts';
import { Owed } from './amount.tsx';
import { ArchiveButton } from './archive-button.tsx';
import { BillTable } from './bill-table.tsx';
import { PayDialog } from './pay-dialog.tsx';
import { PriceList } from './price-list.tsx';
import { PurchaseList, purchaseFilters } from './purchase-list.tsx';
import { VendorAccount } from './vendor-account.tsx';

import { VendorForm } from './vendor-form.tsx';
import styles from './vendors.module.css';

const State = z.object({
  tab: z.enum(['purchases', 'account', 'prices', 'details']).catch('purchases').default('purchases'),
  item: z.string().catch('').default(''),
  ...purchaseFilters,
});
const tabs = [
  { tab: 'purchases', title: 'Purchase orders' },
  { tab: 'account', title: 'Account' },
  { tab: 'prices', title: 'Prices' },
  { tab: 'details', title: 'Details' },
] as const;
const back = { to: href('/admin/vendors'), label: 'Vendors' };

export function NewVendorPage() {
  const navigate = useNavigate();
  return (
    <ConsolePage title="New vendor" back={back}>
      <VendorForm
        vendor={null}
        onSaved={(id) => {
          toast('success', 'Vendor added.');
          void navigate(href('/admin/vendors/:id', { id: String(id) }), { replace: true });
        }}
      />
    </ConsolePage>
  );
}

export function VendorPage({ vendorId }: { vendorId: number }) {
  const { data, isPending, isLoadingError, refetch } = useShopQuery(readVendor, { vendor_id: vendorId });
  const vendor = data ?? null;
  if (vendor) return <KnownVendor key={vendor.id} vendor={vendor} reload={refetch} />;
  return (
    <ConsolePage title="Vendor" back={back}>
      {isPending && (
        <LoadingShape>
          <BlankPanel lines={3} />
          <BlankPanel title="Purchase orders" lines={6} />
        </LoadingShape>
      )}
      {isLoadingError && <FailedState retry={refetch} />}
      {data !== undefined && <EmptyState title="Vendor not found." />}
    </ConsolePage>
  );
}

function KnownVendor({ vendor, reload }: { vendor: Vendor; reload(): void }) {
  const [state, set, hrefFor] = useUrlState(State);
  const [isPaying, setPaying] = useState(false);
  const { tab } = state;
  return (
    <ConsolePage
      title={vendor.name}
      back={back}
      actions={
        <>
          {vendor.archived_at && <Badge>Archived</Badge>}
          {vendor.owed_paise > 0 && tab !== 'details' && (
            <Button size="small" onClick={() => setPaying(true)}>
              Record payment
            </Button>
          )}
          {!vendor.archived_at && (
            <ButtonLink variant="primary" size="small" to={`${href('/admin/purchases/new')}?vendor=${vendor.id}`}>
              Create purchase order
            </ButtonLink>
          )}
        </>
      }
    >
      <VendorFacts vendor={vendor} />
      <Tabs
        label="About this vendor"
        items={tabs.map(({ tab: name, title }) => ({
          to: hrefFor({ tab: name, search: '', status: 'all', item: '' }),
          title,
          isOpen: name === tab,
        }))}
      />
      {tab === 'purchases' && <PurchaseList vendorId={vendor.id} state={state} set={set} hrefFor={hrefFor} />}
      {tab === 'account' && (
        <>
          {vendor.bills.length > 0 && (
            <Panel title="Unpaid bills">
              <BillTable bills={vendor.bills} vendor={vendor.name} />
            </Panel>
          )}
          <VendorAccount
            vendorId={vendor.id}
            after={state.after}
            hrefFor={(after) => hrefFor({ after })}
            onChanged={reload}
          />
        </>
      )}
      {tab === 'prices' && (
        <PriceList
          vendorId={vendor.id}
          search={state.search}
          item={state.item}
          onSearch={(search) => set({ search, item: '' })}
          hrefFor={(item) => hrefFor({ item })}
        />
      )}
      {tab === 'details' && (
        <>
          <VendorForm
            key={vendor.updated_at}
            vendor={vendor}
            onSaved={() => {
              toast('success', 'Vendor saved.');
              reload();
            }}
          />
          <ArchiveButton vendor={vendor} onChanged={reload} />
        </>
      )}
      <PayDialog
        vendor={isPaying ? { id: vendor.id, name: vendor.name, owedPaise: vendor.owed_paise } : null}
        onClose={() => setPaying(false)}
        onPaid={reload}
      />
    </ConsolePage>
  );
}

function VendorFacts({ vendor }: { vendor: Vendor }) {
  const facts = [
    ['We owe', <Owed key="owed" paise={vendor.owed_paise} overduePaise={vendor.overdue_paise} />],
    ['Contact', vendor.contact_name],
    ['Phone', vendor.phone && <a href={`tel:${vendor.phone.replaceAll(/[ -]/g, '')}`}>{vendor.phone}</a>],
    ['Email', vendor.email && <a href={`mailto:${vendor.email}`}>{vendor.email}</a>],
    ['GSTIN', vendor.gstin],
    ['FSSAI', vendor.fssai_number],
    [
      'Payment terms',
      vendor.payment_terms_days === 0
        ? 'Due immediately'
        : `${vendor.payment_terms_days === 1 ? '1 day' : `${vendor.payment_terms_days} days`} after the bill`,
    ],
  ] as const;
  return (
    <Panel>
      <div className={styles.part}>
        <dl className={styles.facts}>
          {facts
            .filter(([, value]) => value !== '')
            .map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        {vendor.notes && <p className={styles.note}>{vendor.notes}</p>}
      </div>
    </Panel>
  );
}
