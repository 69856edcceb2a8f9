import { OfferCode } from './offer-code.tsx';

/** On a product's page: the code goes with Buy Now, which says when it does not count. */
export default function DirectCode() {
  return <OfferCode answer={null} isBusy={false} isForLater />;
}
