import { Link } from 'react-router';
import buttons from '#app/ui/button.module.css';
import { type Column, DataTable } from '#app/ui/data-table.tsx';
import { Badge, Empty, Panel } from '#app/ui/panel.tsx';
import { EditDialog } from '../../edit-dialog.tsx';
import { useRequests } from '../../requests.ts';
import type { PanelState } from './closures-panel.tsx';
import { daysWords, prefixesInShort, rupees, type Zone } from './delivery-data.ts';
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
      title: 'Pincodes begin with',
      cell: ({ pincode_prefixes }) => prefixesInShort(pincode_prefixes),
    },
    { key: 'first', title: 'First kg', align: 'end', cell: ({ first_kg_paise }) => rupees(first_kg_paise) },
    { key: 'extra', title: 'Every further kg', align: 'end', cell: ({ extra_kg_paise }) => rupees(extra_kg_paise) },
    { key: 'days', title: 'Takes', cell: daysWords },
    {
      key: 'state',
      title: 'State',
      cell: ({ is_published }) => (is_published ? <Badge tone="good">open</Badge> : <Badge>not published</Badge>),
    },
  ];
  return (
    <Panel
      title="Zones"
      actions={
        <Link className={buttons.smallMain} to={hrefFor('new')} preventScrollReset>
          New zone
        </Link>
      }
    >
      <p className={styles.hint}>
        A pincode belongs to the zone with the longest beginning that fits; without one we do not deliver. “Buy now” and
        phone orders pay these rates, carts what is set above.
      </p>
      <DataTable<Zone>
        caption="Zones"
        columns={columns}
        rows={zones}
        rowKey={({ id }) => String(id)}
        rowLabel={({ name }) => name}
        empty={<Empty title="No zone yet." text="Nothing can be delivered before there is one." />}
      />
      <EditDialog
        open={opened === 'new' || zone !== null}
        title={zone?.name ?? 'New zone'}
        deletion={
          zone && {
            title: `Delete ${zone.name}?`,
            text: 'Its pincodes fall to the next shorter beginning of another zone, or to none. Orders keep what they were promised. To stop for a while, save it as not published instead.',
            done: `Deleted: ${zone.name}`,
            run: () => act('admin_delete_zone', { zone_id: zone.id, seen: zone.updated_at }),
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
