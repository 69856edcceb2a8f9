export { ReviewsPage as default } from '#app/features/console/customers/reviews-page.tsx';
