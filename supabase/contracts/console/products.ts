// Functions of schemas/20_console/20_list_products.sql to 23_import_products.sql: products and categories.
import { foodMarks } from '../../../domain/catalog/food-mark.ts';
import { comboPacks } from '../../../domain/products/product-columns.ts';
import { Cursor, defineFunction, Filter, moment, nothing } from '../contract.ts';
import { z } from '../z.ts';

export const ProductRow = z.object({
  id: z.number(),
  name: z.string(),
  category: z.string(),
  image: z.string(),
  price_paise: z.number(),
  regular_price_paise: z.number().nullable(),
  offer_percent: z.number().nullable(),
  gst_percent: z.number(),
  has_size: z.boolean(),
  is_listed: z.boolean(),
  is_available: z.boolean(),
  archived_at: z.string().nullable(),
  rating: z.number().nullable(),
  review_count: z.number(),
  on_hand: z.number(),
  reserved: z.number(),
  low_at: z.number(),
  unit_cost_paise: z.number().nullable(),
  updated_at: z.string(),
  food_mark: z.enum(foodMarks).nullable(),
  missing_facts: z.array(z.string()),
});
export type ProductRow = z.infer<typeof ProductRow>;

export const ProductList = z.object({
  rows: z.array(ProductRow),
  next: z.unknown(),
  count: z.number(),
  count_is_capped: z.boolean(),
});

export const ProductDraft = z.object({
  name: z.string(),
  description: z.string(),
  category: z.string(),
  image: z.string(),
  more_pictures: z.string(),
  taste: z.string(),
  travel: z.string(),
  price_paise: z.number(),
  regular_price_paise: z.number().nullable(),
  offer_percent: z.number().nullable(),
  gst_percent: z.number(),
  hsn: z.string(),
  has_size: z.boolean(),
  weight_grams: z.number(),
  food_mark: z.enum(foodMarks).nullable(),
  ingredients: z.string(),
  allergens: z.string(),
  shelf_life_days: z.number().nullable(),
  storage: z.string(),
  maker: z.string(),
  combo: z.enum(comboPacks).nullable(),
  is_listed: z.boolean(),
  is_archived: z.boolean(),
  unit_cost_paise: z.number().nullable(),
});
export type ProductDraft = z.infer<typeof ProductDraft>;

export const ProductAnswer = z.object({
  row: ProductRow,
  draft: ProductDraft,
  created_at: z.string(),
  costs: z.array(z.object({ valid_from: z.string(), unit_cost_paise: z.number() })),
  has_stock_history: z.boolean(),
  is_deletable: z.boolean(),
  waiting: z.number(),
});
export type ProductAnswer = z.infer<typeof ProductAnswer>;

export const SavedProduct = z.object({ id: z.number(), updated_at: z.string(), unused_images: z.array(z.string()) });

const Value = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional();

export const ImportPlan = z.object({
  fingerprint: z.string(),
  rows: z.array(
    z.object({
      line: z.number(),
      id: z.number().nullable(),
      name: z.string(),
      action: z.enum(['new', 'changed', 'unchanged', 'refused']),
      changes: z.array(z.object({ field: z.string(), from: Value, to: Value })),
      problems: z.array(z.object({ field: z.string(), message: z.string() })),
    }),
  ),
});
export type ImportPlan = z.infer<typeof ImportPlan>;

export type PlannedRow = ImportPlan['rows'][number];

export type Action = PlannedRow['action'];

export const Imported = z.object({ added: z.number(), changed: z.number(), unused_images: z.array(z.string()) });

const Copy = z.object({ id: z.number() });

const Deleted = z.object({ unused_images: z.array(z.string()) });

export const CategoryList = z.array(
  z.object({
    id: z.number(),
    name: z.string(),
    colour: z.string().nullable(),
    is_fixed: z.boolean(),
    products: z.number(),
    updated_at: z.string(),
  }),
);
export type CategoryRow = z.infer<typeof CategoryList>[number];

/** Fields of a draft; the function validates them. */
const Draft = ProductDraft.partial().loose();

export const listProducts = defineFunction(
  'admin_list_products',
  {
    filter: Filter.nullish(),
    sort: z.string().nullish(),
    descending: z.boolean().nullish(),
    after: Cursor,
    page_size: z.number().nullish(),
  },
  ProductList,
);

export const readProduct = defineFunction('admin_read_product', { product_id: z.number() }, ProductAnswer.nullable());

export const saveProduct = defineFunction(
  'admin_save_product',
  { changes: Draft, product_id: z.number().nullish(), seen: moment.nullish() },
  SavedProduct,
);

export const changeProducts = defineFunction(
  'admin_change_products',
  { products: z.array(z.object({ id: z.number(), seen: moment, changes: Draft })) },
  z.array(ProductRow),
);

export const duplicateProduct = defineFunction('admin_duplicate_product', { product_id: z.number() }, Copy);

export const deleteProduct = defineFunction('admin_delete_product', { product_id: z.number(), seen: moment }, Deleted);

/** A plan where `dry_run`; otherwise what was done, if the products still have the plan’s fingerprint. */
export const importProducts = defineFunction(
  'admin_import_products',
  { rows: z.array(z.record(z.string(), z.unknown())), dry_run: z.boolean(), fingerprint: z.string().nullish() },
  z.union([ImportPlan, Imported]),
);

export const listCategories = defineFunction('admin_list_categories', {}, CategoryList);

export const saveCategory = defineFunction(
  'admin_save_category',
  { name: z.string(), colour: z.string().nullish(), category_id: z.number().nullish(), seen: moment.nullish() },
  z.object({ id: z.number(), updated_at: moment }),
);

export const deleteCategory = defineFunction(
  'admin_delete_category',
  { category_id: z.number(), seen: moment },
  z.object({ id: z.number() }),
);

export const orderCategories = defineFunction('admin_order_categories', { category_ids: z.array(z.number()) }, nothing);
