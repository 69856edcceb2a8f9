import { Badge, type Tone } from '#app/ui/badge.tsx';
import { Button, ButtonAnchor, ButtonLink, type ButtonVariant, IconButton } from '#app/ui/button.tsx';
import { CloseIcon } from '#app/ui/close-icon.tsx';
import { EmptyState, FailedState } from '#app/ui/empty-state.tsx';
import { LoadingTable } from '#app/ui/loading-shapes.tsx';
import { Facts, Panel } from '#app/ui/panel.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { Stars } from '#app/ui/stars.tsx';
import { Part } from './part.tsx';

const variants: ButtonVariant[] = ['primary', 'secondary', 'outlined-danger', 'danger', 'text'];
const tones: Tone[] = ['calm', 'good', 'warn', 'waiting', 'bad', 'busy'];

/** What is pressed, and what says how something stands. */
export function ButtonsAndWords() {
  return (
    <>
      {variants.map((variant) => (
        <Part key={variant} title={`Button, ${variant}`} file="button.tsx">
          <Button variant={variant}>Save</Button>
          <Button variant={variant} size="small">
            Small
          </Button>
          <Button variant={variant} isBusy>
            Saving…
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </Part>
      ))}
      <Part title="Links that look like buttons" file="button.tsx">
        <ButtonLink variant="primary" to="/shop">
          Go to the shop
        </ButtonLink>
        <ButtonAnchor href="mailto:shop@example.com">Write an email</ButtonAnchor>
      </Part>
      <Part title="Icon button" file="button.tsx">
        <IconButton label="Close">
          <CloseIcon />
        </IconButton>
        <IconButton label="Close, framed" isFramed>
          <CloseIcon />
        </IconButton>
        <IconButton label="Close, disabled" isFramed disabled>
          <CloseIcon />
        </IconButton>
      </Part>
      <Part title="Badge" file="badge.tsx">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </Part>
      <Part title="Stars" file="stars.tsx">
        <Stars rating={4.6} />
        <Stars rating={0} />
      </Part>
      <Part title="Panel and facts" file="panel.tsx">
        <Panel title="Payment" actions={<Button size="small">Refund…</Button>}>
          <Facts
            items={[
              ['Subtotal', '₹1,299.50'],
              ['Tax', '₹64.98'],
            ]}
          />
        </Panel>
      </Part>
      <Part title="Empty state" file="empty-state.tsx">
        <EmptyState
          title="No matching orders"
          text="Try fewer filters."
          action={<Button size="small">Clear the filters</Button>}
        />
        <EmptyState
          heading="h2"
          title="No orders yet"
          text="Your orders will appear here."
          action={<Button variant="primary">Choose your sweets</Button>}
        />
        <FailedState retry={() => {}} />
      </Part>
      <Part title="Skeleton" file="skeleton.tsx">
        <Skeleton style={{ width: 240, height: 24 }} />
        <LoadingTable
          columns={[
            { key: 'name', title: 'Name' },
            { key: 'total', title: 'Total', align: 'end' },
          ]}
          rows={2}
        />
      </Part>
    </>
  );
}
