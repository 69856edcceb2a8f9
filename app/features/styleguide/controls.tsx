import { useId, useState } from 'react';
import { Checkbox } from '#app/ui/checkbox.tsx';
import { Combobox } from '#app/ui/combobox.tsx';
import { controlProps, Field } from '#app/ui/field.tsx';
import { Input, TextArea } from '#app/ui/input.tsx';
import { RadioPill } from '#app/ui/radio-pill.tsx';
import { SearchField } from '#app/ui/search-field.tsx';
import { Select } from '#app/ui/select.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { Part } from './part.tsx';

const couriers = [
  { value: 'blue', label: 'Blue Dart' },
  { value: 'dtdc', label: 'DTDC' },
];
const sweets = ['Besan Laddu', 'Motichoor Laddu', 'Kaju Katli', 'Gajar Halwa'];

/** What is typed into, chosen from and counted with. */
export function Controls() {
  const id = useId();
  const [courier, setCourier] = useState('blue');
  const [count, setCount] = useState(1);
  const [size, setSize] = useState(500);
  const hint = 'As it stands on the box.';
  const error = 'Enter a name.';
  return (
    <>
      <Part title="Field" file="field.tsx, input.tsx">
        <Field id={`${id}-plain`} label="Name" hint={hint}>
          <Input {...controlProps({ id: `${id}-plain`, hint })} placeholder="Besan Laddu" />
        </Field>
        <Field id={`${id}-wrong`} label="Name" error={error}>
          <Input {...controlProps({ id: `${id}-wrong`, error })} />
        </Field>
        <Field id={`${id}-read`} label="Email">
          <Input id={`${id}-read`} readOnly value="asha@example.com" />
        </Field>
        <Field id={`${id}-off`} label="Tracking number">
          <Input id={`${id}-off`} disabled />
        </Field>
        <Field id={`${id}-area`} label="Note">
          <TextArea id={`${id}-area`} rows={3} />
        </Field>
      </Part>
      <Part title="Input with a unit" file="input.tsx">
        <Field id={`${id}-price`} label="Price">
          <Input id={`${id}-price`} inputMode="decimal" prefix="₹" defaultValue="1,299.50" />
        </Field>
        <Field id={`${id}-stock`} label="Stock" error="Enter kilograms, such as 2.5">
          <Input
            {...controlProps({ id: `${id}-stock`, error: 'x' })}
            inputMode="decimal"
            suffix="kg"
            defaultValue="much"
          />
        </Field>
      </Part>
      <Part title="Select" file="select.tsx">
        <Select aria-label="Courier" value={courier} options={couriers} onChange={setCourier} />
        <Select aria-label="Courier, disabled" value={courier} options={couriers} onChange={setCourier} disabled />
      </Part>
      <Part title="Checkbox" file="checkbox.tsx">
        <Checkbox label="Listed" defaultChecked />
        <Checkbox label="Listed, disabled" disabled />
      </Part>
      <Part title="Combobox" file="combobox.tsx">
        <Sweets id={`${id}-sweets`} />
        <Sweets id={`${id}-found`} error="Add at least one item." />
      </Part>
      <Part title="Search field" file="search-field.tsx">
        <SearchField label="Search products" value="" onSearch={() => {}} />
      </Part>
      <Part title="Stepper" file="stepper.tsx">
        <Stepper label="Quantity" value={count} min={1} max={20} onChange={setCount} />
      </Part>
      <Part title="Radio pill" file="radio-pill.tsx">
        {[500, 1000].map((grams) => (
          <RadioPill
            key={grams}
            name={`${id}-size`}
            value={grams}
            label={`${grams} g`}
            isChosen={grams === size}
            onChoose={() => setSize(grams)}
          />
        ))}
      </Part>
    </>
  );
}

function Sweets({ id, error }: { id: string; error?: string }) {
  const [typed, setTyped] = useState('');
  return (
    <Combobox
      id={id}
      label="Add an item"
      error={error}
      placeholder="Type a name: besan, kaju…"
      typed={typed}
      onType={setTyped}
      items={sweets.filter((sweet) => sweet.toLowerCase().includes(typed.trim().toLowerCase()))}
      none="No item with that name is on sale."
      keyOf={(sweet: string) => sweet}
      isDisabled={(sweet) => sweet === 'Gajar Halwa'}
      onPick={(sweet: string) => setTyped(sweet)}
    >
      {(sweet) => sweet}
    </Combobox>
  );
}
