import { href, useNavigate } from 'react-router';
import { ButtonLink, type ButtonVariant } from '#app/ui/button.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { z } from '#contracts/z.ts';
import { ConsolePage } from '../frame/console-page.tsx';
import { useShortcut } from '../frame/shortcuts.tsx';
import { useUrlState } from '../list/url-state.ts';
import { Payables } from './payables.tsx';
import { PriceList } from './price-list.tsx';
import { PurchaseList, purchaseFilters } from './purchase-list.tsx';
import { VendorList } from './vendor-list.tsx';

const State = z.object({
  tab: z.enum(['vendors', 'purchases', 'to-pay', 'prices']).catch('vendors').default('vendors'),
  archived: z.enum(['no', 'yes']).catch('no').default('no'),
  item: z.string().catch('').default(''),
  ...purchaseFilters,
});

const tabs = [
  { tab: 'vendors', title: 'Vendors' },
  { tab: 'purchases', title: 'Purchase orders' },
  { tab: 'to-pay', title: 'To pay' },
  { tab: 'prices', title: 'Prices' },
] as const;

/** Whom we buy from, what is on its way, what we owe, and what things cost. */
/** The main action of each tab comes last. */
const addVendor = (variant: ButtonVariant) => (
  <ButtonLink variant={variant} size="small" to={href('/admin/vendors/new')}>
    Add vendor
  </ButtonLink>
);

export function VendorsPage() {
  const [state, set, hrefFor] = useUrlState(State);
  const navigate = useNavigate();
  const { tab } = state;
  useShortcut('n', 'New purchase order', () => void navigate(href('/admin/purchases/new')));

  return (
    <ConsolePage
      title="Vendors"
      actions={
        <>
          {tab !== 'vendors' && addVendor('secondary')}
          <ButtonLink
            variant={tab === 'vendors' ? 'secondary' : 'primary'}
            size="small"
            to={href('/admin/purchases/new')}
          >
            Create purchase order
          </ButtonLink>
          {tab === 'vendors' && addVendor('primary')}
        </>
      }
    >
      <Tabs
        label="Vendors"
        items={tabs.map(({ tab: name, title }) => ({
          to: name === 'vendors' ? href('/admin/vendors') : `${href('/admin/vendors')}?tab=${name}`,
          title,
          isOpen: name === tab,
        }))}
      />
      {tab === 'vendors' && (
        <VendorList
          search={state.search}
          withArchived={state.archived === 'yes'}
          onSearch={(search) => set({ search })}
          onArchived={(archived) => set({ archived: archived ? 'yes' : 'no' })}
        />
      )}
      {tab === 'purchases' && <PurchaseList state={state} set={set} hrefFor={hrefFor} />}
      {tab === 'to-pay' && <Payables />}
      {tab === 'prices' && (
        <PriceList
          search={state.search}
          item={state.item}
          onSearch={(search) => set({ search, item: '' })}
          hrefFor={(item) => hrefFor({ item })}
        />
      )}
    </ConsolePage>
  );
}
