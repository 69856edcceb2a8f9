import { Link } from 'react-router';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Panel } from '#app/ui/panel.tsx';
import { deleteZone, type Zone } from '#contracts/console/delivery.ts';
import { formatPaise } from '#domain/money.ts';
import { useRequests } from '../../data/requests.ts';
import { EditDialog } from '../../form/edit-dialog.tsx';
import type { PanelState } from './closures-panel.tsx';
import { daysWords, prefixesInShort } from './delivery-data.ts';
import styles from './delivery-tab.module.css';
import { ZoneForm } from './zone-form.tsx';

/** Where we deliver, for how much and how fast; the nearest first. */
export function ZonesPanel({ zones, opened, open, hrefFor, onChange }: PanelState & { zones: readonly Zone[] }) {
  const { act } = useRequests();
  const zone = zones.find(({ id }) => String(id) === opened) ?? null;
  const columns: Column<Zone>[] = [
    {
      key: 'name',
      title: 'Zone',
      cell: (row) => (
        <Link className={styles.name} to={hrefFor(String(row.id))} preventScrollReset>
          {row.name}
        </Link>
      ),
    },
    {
      key: 'pincodes',
      title: 'Pincode prefixes',
      cell: ({ pincode_prefixes }) => prefixesInShort(pincode_prefixes),
    },
    { key: 'first', title: 'First kg', align: 'end', cell: ({ first_kg_paise }) => formatPaise(first_kg_paise) },
    {
      key: 'extra',
      title: 'Each additional kg',
      align: 'end',
      cell: ({ extra_kg_paise }) => formatPaise(extra_kg_paise),
    },
    { key: 'days', title: 'Delivery time', cell: daysWords },
    {
      key: 'state',
      title: 'Status',
      cell: ({ is_published }) => (is_published ? <Badge tone="good">Published</Badge> : <Badge>Not published</Badge>),
    },
  ];
  return (
    <Panel
      title="Zones"
      actions={
        <ButtonLink size="small" to={hrefFor('new')} preventScrollReset>
          Add zone
        </ButtonLink>
      }
    >
      <p className={styles.hint}>
        The most specific pincode prefix decides the zone. Without a match, we don’t deliver. “Buy now” and phone orders
        are charged these rates; carts are charged as set above.
      </p>
      <DataTable<Zone>
        caption="Zones"
        columns={columns}
        rows={zones}
        rowKey={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        empty={<EmptyState title="No zones yet." text="Add a zone to start delivering." />}
      />
      <EditDialog
        open={opened === 'new' || zone !== null}
        title={zone?.name ?? 'New zone'}
        deletion={
          zone && {
            title: `Delete ${zone.name}?`,
            text: 'Its pincodes move to the zone with the next matching prefix, or to none. Existing orders keep their date. To stop for a while, unpublish it instead.',
            done: `Deleted: ${zone.name}`,
            run: () => act(deleteZone, { zone_id: zone.id, seen: zone.updated_at }),
          }
        }
        onClose={() => {
          open('');
          onChange(); // it may have been changed by someone else
        }}
        onDeleted={onChange}
      >
        {(controls) => (
          <ZoneForm
            key={zone?.updated_at ?? 'new'}
            zone={zone}
            others={zones.filter(({ id, is_published }) => is_published && id !== zone?.id)}
            controls={controls}
          />
        )}
      </EditDialog>
    </Panel>
  );
}
