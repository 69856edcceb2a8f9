import { createRoot } from 'react-dom/client';
import { TestPaymentDialog } from './test-payment-dialog.tsx';
import type { WidgetOptions, WidgetOutcome } from './widget.ts';

/** As the real widget does, it stands beside the page and above whatever dialog is open, and goes when it is done. */
export function openTestWidget({ order, quote, onAttemptFailed }: WidgetOptions): Promise<WidgetOutcome> {
  return new Promise((resolve) => {
    const place = document.createElement('div');
    document.body.append(place);
    const root = createRoot(place);
    function done(outcome: WidgetOutcome) {
      if (outcome.outcome === 'failed') onAttemptFailed(outcome.description);
      resolve(outcome);
      // React does not take a root away in the middle of its own work.
      setTimeout(() => {
        root.unmount();
        place.remove();
      });
    }
    root.render(<TestPaymentDialog order={order} quote={quote} onDone={done} />);
  });
}
