import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { Badge, Empty, Panel } from '#app/ui/panel.tsx';
import { deleteZone, type Zone } from '#contracts/console/delivery.ts';
import { useRequests } from '../../data/requests.ts';
import { EditDialog } from '../../form/edit-dialog.tsx';
import type { PanelState } from './closures-panel.tsx';
import { daysWords, prefixesInShort, rupees } from './delivery-data.ts';
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
    { key: 'first', title: 'First kg', align: 'end', cell: ({ first_kg_paise }) => rupees(first_kg_paise) },
    { key: 'extra', title: 'Each additional kg', align: 'end', cell: ({ extra_kg_paise }) => rupees(extra_kg_paise) },
    { key: 'days', title: 'Delivery time', isOneLine: true, cell: daysWords },
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
        <Link className={buttons.small} to={hrefFor('new')} preventScrollReset>
          Add zone
        </Link>
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
        empty={<Empty title="No zones yet." text="Add a zone to start delivering." />}
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
          onChange(); // somebody else may have been faster
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
