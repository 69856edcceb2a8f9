import { type Paise, plainRupees } from '../money.ts';
import { foodFacts, paisePer100g } from './food-facts.ts';
import { withTaxPaise } from './price-with-tax.ts';
import type { ProductDetails } from './product.ts';

const factsWithoutPlace = ['Veg or non-veg', 'Ingredients', 'Allergens', 'Shelf life', 'Storage'];

/** For pages that are read by machines, which expect what the customer pays: 67.20. */
export const rupeesWithTax = (price: Paise, gstPercent: number): string => plainRupees(withTaxPaise(price, gstPercent));

/** What search engines read of a product, its prices with tax: https://schema.org/Product. */
export function productJsonLd(product: ProductDetails, { siteUrl, shopName }: { siteUrl: string; shopName: string }) {
  const url = `${siteUrl}/product/${product.id}`;
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    '@id': url,
    url,
    name: product.name,
    ...(product.description ? { description: product.description } : {}),
    ...(product.image ? { image: absolute(product.image, siteUrl) } : {}),
    sku: String(product.id),
    category: product.category,
    brand: { '@type': 'Brand', name: shopName },
    manufacturer: { '@type': 'Organization', name: product.maker || shopName },
    weight: { '@type': 'QuantitativeValue', value: product.weightGrams, unitCode: 'GRM' },
    additionalProperty: foodFacts(product)
      .filter(({ label }) => factsWithoutPlace.includes(label))
      .map(({ label, value }) => ({ '@type': 'PropertyValue', name: label, value })),
    offers: {
      '@type': 'Offer',
      url,
      price: rupeesWithTax(product.pricePaise, product.gstPercent),
      priceCurrency: 'INR',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: rupeesWithTax(paisePer100g(product), product.gstPercent),
        priceCurrency: 'INR',
        valueAddedTaxIncluded: true,
        referenceQuantity: { '@type': 'QuantitativeValue', value: 100, unitCode: 'GRM' },
      },
      availability: product.available ? 'https://schema.org/InStock' : 'https://schema.org/OutOfStock',
      itemCondition: 'https://schema.org/NewCondition',
      seller: { '@type': 'Organization', name: shopName },
    },
    ...(product.reviewCount > 0 && product.rating !== null
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: product.rating,
            reviewCount: product.reviewCount,
            bestRating: 5,
            worstRating: 1,
          },
        }
      : {}),
  };
}

export function absolute(address: string, siteUrl: string): string {
  return new URL(address, siteUrl).href;
}
