// The styles of home-below.tsx: the server renders that part with the page, its code is loaded later.
import '#app/features/home/brand-story.module.css';
import '#app/features/home/bulk-order.module.css';
import '#app/features/home/combo-packs.module.css';
import '#app/features/home/order-now.module.css';
import '#app/features/home/steps.module.css';
import '#app/features/home/testimonials.module.css';
import '#app/ui/skeleton.module.css';
