// Generated from the migrated database by scripts/generate-types.ts; a test fails when it is out of date.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  public: {
    Tables: {
      Products: {
        Row: {
          Category: string;
          Description: string;
          Id: number;
          Image: string;
          Name: string;
          Price: number | string;
          Rating: number | string | null;
          allergens: string;
          archived_at: string | null;
          combo: string | null;
          created_at: string;
          food_mark: string | null;
          gst_percent: number | string;
          hasSize: boolean;
          hsn: string;
          ingredients: string;
          is_listed: boolean;
          isavailable: boolean;
          maker: string;
          offer_percent: number | null;
          regular_price: number | string | null;
          review_count: number;
          shelf_life_days: number | null;
          storage: string;
          taste: string;
          travel: string;
          updated_at: string;
          weight_grams: number;
        };
        Insert: {
          Category: string;
          Description?: string;
          Id?: number;
          Image?: string;
          Name: string;
          Price: number | string;
          Rating?: number | string | null;
          allergens?: string;
          archived_at?: string | null;
          combo?: string | null;
          created_at?: string;
          food_mark?: string | null;
          gst_percent?: number | string;
          hasSize?: boolean;
          hsn?: string;
          ingredients?: string;
          is_listed?: boolean;
          isavailable?: boolean;
          maker?: string;
          offer_percent?: number | null;
          regular_price?: number | string | null;
          review_count?: number;
          shelf_life_days?: number | null;
          storage?: string;
          taste?: string;
          travel?: string;
          updated_at?: string;
          weight_grams?: number;
        };
        Update: {
          Category?: string;
          Description?: string;
          Id?: number;
          Image?: string;
          Name?: string;
          Price?: number | string;
          Rating?: number | string | null;
          allergens?: string;
          archived_at?: string | null;
          combo?: string | null;
          created_at?: string;
          food_mark?: string | null;
          gst_percent?: number | string;
          hasSize?: boolean;
          hsn?: string;
          ingredients?: string;
          is_listed?: boolean;
          isavailable?: boolean;
          maker?: string;
          offer_percent?: number | null;
          regular_price?: number | string | null;
          review_count?: number;
          shelf_life_days?: number | null;
          storage?: string;
          taste?: string;
          travel?: string;
          updated_at?: string;
          weight_grams?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'products_category_fkey';
            columns: ['Category'];
            isOneToOne: false;
            referencedRelation: 'categories';
            referencedColumns: ['name'];
          },
        ];
      };
      audit_log: {
        Row: {
          action: string;
          actor_id: string | null;
          after: Json | null;
          at: string;
          before: Json | null;
          id: number;
          row_id: string;
          table_name: string;
        };
        Insert: {
          action: string;
          actor_id?: string | null;
          after?: Json | null;
          at?: string;
          before?: Json | null;
          row_id: string;
          table_name: string;
        };
        Update: {
          action?: string;
          actor_id?: string | null;
          after?: Json | null;
          at?: string;
          before?: Json | null;
          row_id?: string;
          table_name?: string;
        };
        Relationships: [];
      };
      categories: {
        Row: {
          colour: string | null;
          id: number;
          is_fixed: boolean;
          name: string;
          position: number;
          updated_at: string;
        };
        Insert: {
          colour?: string | null;
          is_fixed?: boolean;
          name: string;
          position: number;
          updated_at?: string;
        };
        Update: {
          colour?: string | null;
          is_fixed?: boolean;
          name?: string;
          position?: number;
          updated_at?: string;
        };
        Relationships: [];
      };
      caurousel: {
        Row: {
          background_img: string;
          buttonaction: string;
          buttontitle: string;
          entry_id: string | null;
          id: number;
          is_published: boolean;
          position: number;
          subtitle: string;
          title: string;
          updated_at: string;
        };
        Insert: {
          background_img: string;
          buttonaction: string;
          buttontitle: string;
          entry_id?: string | null;
          id?: number;
          is_published?: boolean;
          position?: number;
          subtitle?: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          background_img?: string;
          buttonaction?: string;
          buttontitle?: string;
          entry_id?: string | null;
          id?: number;
          is_published?: boolean;
          position?: number;
          subtitle?: string;
          title?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      closures: {
        Row: {
          ends_on: string;
          id: number;
          reason: string;
          starts_on: string;
          updated_at: string;
        };
        Insert: {
          ends_on: string;
          id?: number;
          reason: string;
          starts_on: string;
          updated_at?: string;
        };
        Update: {
          ends_on?: string;
          id?: number;
          reason?: string;
          starts_on?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      comments: {
        Row: {
          content: string;
          created_at: string;
          hidden_at: string | null;
          id: number;
          product_id: number;
          rating: number;
          updated_at: string | null;
          user_id: string;
        };
        Insert: {
          content: string;
          created_at?: string;
          hidden_at?: string | null;
          product_id: number;
          rating: number;
          updated_at?: string | null;
          user_id?: string;
        };
        Update: {
          content?: string;
          created_at?: string;
          hidden_at?: string | null;
          product_id?: number;
          rating?: number;
          updated_at?: string | null;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'comments_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      customer_addresses: {
        Row: {
          building_no: string;
          city: string;
          created_at: string;
          id: string;
          label: string;
          phone: string;
          recipient_name: string;
          state: string;
          street: string;
          updated_at: string;
          user_id: string;
          zip: string;
        };
        Insert: {
          building_no: string;
          city: string;
          created_at?: string;
          id?: string;
          label: string;
          phone: string;
          recipient_name: string;
          state: string;
          street: string;
          updated_at?: string;
          user_id?: string;
          zip: string;
        };
        Update: {
          building_no?: string;
          city?: string;
          created_at?: string;
          id?: string;
          label?: string;
          phone?: string;
          recipient_name?: string;
          state?: string;
          street?: string;
          updated_at?: string;
          user_id?: string;
          zip?: string;
        };
        Relationships: [];
      };
      delivery_zones: {
        Row: {
          extra_kg_charge: number | string;
          first_kg_charge: number | string;
          id: number;
          is_published: boolean;
          max_days: number;
          min_days: number;
          name: string;
          pincode_prefixes: string[];
          updated_at: string;
        };
        Insert: {
          extra_kg_charge: number | string;
          first_kg_charge: number | string;
          id?: number;
          is_published?: boolean;
          max_days: number;
          min_days: number;
          name: string;
          pincode_prefixes: string[];
          updated_at?: string;
        };
        Update: {
          extra_kg_charge?: number | string;
          first_kg_charge?: number | string;
          id?: number;
          is_published?: boolean;
          max_days?: number;
          min_days?: number;
          name?: string;
          pincode_prefixes?: string[];
          updated_at?: string;
        };
        Relationships: [];
      };
      expenses: {
        Row: {
          amount: number | string;
          category: string;
          created_at: string;
          description: string;
          due_on: string | null;
          entry_id: string | null;
          follows_id: number | null;
          gst_amount: number | string;
          id: number;
          next_due_on: string | null;
          payment_mode: string;
          receipt_path: string | null;
          repeats: string;
          repeats_from: string | null;
          spent_on: string;
          updated_at: string;
          vendor_id: number | null;
        };
        Insert: {
          amount: number | string;
          category: string;
          created_at?: string;
          description?: string;
          due_on?: string | null;
          entry_id?: string | null;
          follows_id?: number | null;
          gst_amount?: number | string;
          id?: number;
          next_due_on?: string | null;
          payment_mode: string;
          receipt_path?: string | null;
          repeats?: string;
          repeats_from?: string | null;
          spent_on: string;
          updated_at?: string;
          vendor_id?: number | null;
        };
        Update: {
          amount?: number | string;
          category?: string;
          created_at?: string;
          description?: string;
          due_on?: string | null;
          entry_id?: string | null;
          follows_id?: number | null;
          gst_amount?: number | string;
          id?: number;
          next_due_on?: string | null;
          payment_mode?: string;
          receipt_path?: string | null;
          repeats?: string;
          repeats_from?: string | null;
          spent_on?: string;
          updated_at?: string;
          vendor_id?: number | null;
        };
        Relationships: [
          {
            foreignKeyName: 'expenses_follows_id_fkey';
            columns: ['follows_id'];
            isOneToOne: true;
            referencedRelation: 'expenses';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'expenses_vendor_id_fkey';
            columns: ['vendor_id'];
            isOneToOne: false;
            referencedRelation: 'vendors';
            referencedColumns: ['id'];
          },
        ];
      };
      greetings: {
        Row: {
          ends_at: string;
          entry_id: string | null;
          has_fireworks: boolean;
          id: number;
          image: string;
          is_published: boolean;
          link: string;
          message: string;
          priority: number;
          starts_at: string;
          title: string;
          updated_at: string;
        };
        Insert: {
          ends_at: string;
          entry_id?: string | null;
          has_fireworks?: boolean;
          id?: number;
          image?: string;
          is_published?: boolean;
          link?: string;
          message?: string;
          priority?: number;
          starts_at: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          ends_at?: string;
          entry_id?: string | null;
          has_fireworks?: boolean;
          id?: number;
          image?: string;
          is_published?: boolean;
          link?: string;
          message?: string;
          priority?: number;
          starts_at?: string;
          title?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      notify_subscriptions: {
        Row: {
          created_at: string;
          product_id: number;
          user_id: string;
        };
        Insert: {
          created_at?: string;
          product_id: number;
          user_id?: string;
        };
        Update: {
          created_at?: string;
          product_id?: number;
          user_id?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'notify_subscriptions_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      order_events: {
        Row: {
          actor_role: string;
          created_at: string;
          from_status: string | null;
          id: number;
          order_id: string;
          public_note: string;
          to_status: string;
          undoes: number | null;
          user_id: string | null;
        };
        Insert: {
          actor_role: string;
          created_at?: string;
          from_status?: string | null;
          order_id: string;
          public_note?: string;
          to_status: string;
          undoes?: number | null;
          user_id?: string | null;
        };
        Update: {
          actor_role?: string;
          created_at?: string;
          from_status?: string | null;
          order_id?: string;
          public_note?: string;
          to_status?: string;
          undoes?: number | null;
          user_id?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'order_events_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'order_events_undoes_fkey';
            columns: ['undoes'];
            isOneToOne: true;
            referencedRelation: 'order_events';
            referencedColumns: ['id'];
          },
        ];
      };
      order_items: {
        Row: {
          box_id: number | null;
          contents: Json | null;
          discount: number | string;
          gst_percent: number | string;
          has_size: boolean;
          hsn: string;
          id: number;
          order_id: string;
          product_id: number | null;
          product_image: string;
          product_name: string;
          quantity: number;
          size: number;
          unit_price: number | string;
        };
        Insert: {
          box_id?: number | null;
          contents?: Json | null;
          discount?: number | string;
          gst_percent: number | string;
          has_size: boolean;
          hsn: string;
          order_id: string;
          product_id?: number | null;
          product_image?: string;
          product_name: string;
          quantity: number;
          size: number;
          unit_price: number | string;
        };
        Update: {
          box_id?: number | null;
          contents?: Json | null;
          discount?: number | string;
          gst_percent?: number | string;
          has_size?: boolean;
          hsn?: string;
          order_id?: string;
          product_id?: number | null;
          product_image?: string;
          product_name?: string;
          quantity?: number;
          size?: number;
          unit_price?: number | string;
        };
        Relationships: [
          {
            foreignKeyName: 'order_items_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'order_items_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      orders: {
        Row: {
          cancel_reason: string | null;
          canceled_goods: string;
          courier: string | null;
          created_at: string;
          deliver_on: string | null;
          delivery_building_no: string;
          delivery_by: string | null;
          delivery_city: string;
          delivery_name: string;
          delivery_phone: string;
          delivery_state: string;
          delivery_street: string;
          delivery_zip: string;
          discount: number | string;
          fulfilment: string;
          group_id: string | null;
          group_place: number;
          id: string;
          missed_day: string | null;
          number: number;
          offers: Json;
          offline_method: string | null;
          pack_on: string | null;
          payment_id: string | null;
          payment_status: string;
          shipping_charge: number | string;
          source: string;
          status: string;
          status_since: string;
          sub_total: number | string;
          tax: number | string;
          total_amount: number | string;
          tracking_number: string | null;
          tracking_url: string | null;
          updated_at: string;
          user_id: string | null;
        };
        Insert: {
          cancel_reason?: string | null;
          canceled_goods?: string;
          courier?: string | null;
          created_at?: string;
          deliver_on?: string | null;
          delivery_building_no?: string;
          delivery_by?: string | null;
          delivery_city?: string;
          delivery_name: string;
          delivery_phone: string;
          delivery_state?: string;
          delivery_street?: string;
          delivery_zip?: string;
          discount?: number | string;
          fulfilment?: string;
          group_id?: string | null;
          group_place?: number;
          id?: string;
          missed_day?: string | null;
          number?: number;
          offers?: Json;
          offline_method?: string | null;
          pack_on?: string | null;
          payment_id?: string | null;
          payment_status?: string;
          shipping_charge: number | string;
          source: string;
          status?: string;
          status_since?: string;
          sub_total: number | string;
          tax: number | string;
          total_amount: number | string;
          tracking_number?: string | null;
          tracking_url?: string | null;
          updated_at?: string;
          user_id?: string | null;
        };
        Update: {
          cancel_reason?: string | null;
          canceled_goods?: string;
          courier?: string | null;
          created_at?: string;
          deliver_on?: string | null;
          delivery_building_no?: string;
          delivery_by?: string | null;
          delivery_city?: string;
          delivery_name?: string;
          delivery_phone?: string;
          delivery_state?: string;
          delivery_street?: string;
          delivery_zip?: string;
          discount?: number | string;
          fulfilment?: string;
          group_id?: string | null;
          group_place?: number;
          id?: string;
          missed_day?: string | null;
          number?: number;
          offers?: Json;
          offline_method?: string | null;
          pack_on?: string | null;
          payment_id?: string | null;
          payment_status?: string;
          shipping_charge?: number | string;
          source?: string;
          status?: string;
          status_since?: string;
          sub_total?: number | string;
          tax?: number | string;
          total_amount?: number | string;
          tracking_number?: string | null;
          tracking_url?: string | null;
          updated_at?: string;
          user_id?: string | null;
        };
        Relationships: [];
      };
      page_changes: {
        Row: {
          at: string;
          id: number;
        };
        Insert: {
          at?: string;
          id?: number;
        };
        Update: {
          at?: string;
          id?: number;
        };
        Relationships: [];
      };
      product_pictures: {
        Row: {
          alt: string;
          image: string;
          position: number;
          product_id: number;
        };
        Insert: {
          alt?: string;
          image: string;
          position: number;
          product_id: number;
        };
        Update: {
          alt?: string;
          image?: string;
          position?: number;
          product_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'product_pictures_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      purchase_order_items: {
        Row: {
          gst_percent: number | string;
          id: number;
          item_name: string;
          product_id: number | null;
          purchase_order_id: number;
          quantity: number | string;
          received_quantity: number | string;
          unit: string;
          unit_cost: number | string;
        };
        Insert: {
          gst_percent?: number | string;
          id?: number;
          item_name: string;
          product_id?: number | null;
          purchase_order_id: number;
          quantity: number | string;
          received_quantity?: number | string;
          unit: string;
          unit_cost: number | string;
        };
        Update: {
          gst_percent?: number | string;
          id?: number;
          item_name?: string;
          product_id?: number | null;
          purchase_order_id?: number;
          quantity?: number | string;
          received_quantity?: number | string;
          unit?: string;
          unit_cost?: number | string;
        };
        Relationships: [
          {
            foreignKeyName: 'purchase_order_items_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
          {
            foreignKeyName: 'purchase_order_items_purchase_order_id_fkey';
            columns: ['purchase_order_id'];
            isOneToOne: false;
            referencedRelation: 'purchase_orders';
            referencedColumns: ['id'];
          },
        ];
      };
      purchase_orders: {
        Row: {
          created_at: string;
          entry_id: string | null;
          expected_on: string | null;
          id: number;
          notes: string;
          ordered_at: string | null;
          received_at: string | null;
          status: string;
          updated_at: string;
          vendor_id: number;
        };
        Insert: {
          created_at?: string;
          entry_id?: string | null;
          expected_on?: string | null;
          id?: number;
          notes?: string;
          ordered_at?: string | null;
          received_at?: string | null;
          status?: string;
          updated_at?: string;
          vendor_id: number;
        };
        Update: {
          created_at?: string;
          entry_id?: string | null;
          expected_on?: string | null;
          id?: number;
          notes?: string;
          ordered_at?: string | null;
          received_at?: string | null;
          status?: string;
          updated_at?: string;
          vendor_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'purchase_orders_vendor_id_fkey';
            columns: ['vendor_id'];
            isOneToOne: false;
            referencedRelation: 'vendors';
            referencedColumns: ['id'];
          },
        ];
      };
      purchase_receipt_items: {
        Row: {
          item_id: number;
          movement_id: number | null;
          quantity: number | string;
          receipt_id: string;
          sets_cost: boolean;
        };
        Insert: {
          item_id: number;
          movement_id?: number | null;
          quantity: number | string;
          receipt_id: string;
          sets_cost?: boolean;
        };
        Update: {
          item_id?: number;
          movement_id?: number | null;
          quantity?: number | string;
          receipt_id?: string;
          sets_cost?: boolean;
        };
        Relationships: [
          {
            foreignKeyName: 'purchase_receipt_items_item_id_fkey';
            columns: ['item_id'];
            isOneToOne: false;
            referencedRelation: 'purchase_order_items';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'purchase_receipt_items_movement_id_fkey';
            columns: ['movement_id'];
            isOneToOne: true;
            referencedRelation: 'stock_movements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'purchase_receipt_items_receipt_id_fkey';
            columns: ['receipt_id'];
            isOneToOne: false;
            referencedRelation: 'purchase_receipts';
            referencedColumns: ['id'];
          },
        ];
      };
      purchase_receipts: {
        Row: {
          id: string;
          purchase_order_id: number;
          received_at: string;
          undone_at: string | null;
        };
        Insert: {
          id: string;
          purchase_order_id: number;
          received_at: string;
          undone_at?: string | null;
        };
        Update: {
          id?: string;
          purchase_order_id?: number;
          received_at?: string;
          undone_at?: string | null;
        };
        Relationships: [
          {
            foreignKeyName: 'purchase_receipts_purchase_order_id_fkey';
            columns: ['purchase_order_id'];
            isOneToOne: false;
            referencedRelation: 'purchase_orders';
            referencedColumns: ['id'];
          },
        ];
      };
      shop_settings: {
        Row: {
          address: string;
          cart_flat_charge: number | string;
          cart_shipping: string;
          cart_zone_from_grams: number | null;
          cutoff_time: string;
          email: string;
          facebook_url: string;
          fssai_number: string;
          grievance_email: string;
          grievance_hours: string;
          grievance_officer: string;
          grievance_phone: string;
          gstin: string;
          id: boolean;
          instagram_url: string;
          legal_name: string;
          name: string;
          state: string;
          updated_at: string;
          weekly_off: number[];
          whatsapp_number: string;
        };
        Insert: {
          address?: string;
          cart_flat_charge?: number | string;
          cart_shipping?: string;
          cart_zone_from_grams?: number | null;
          cutoff_time?: string;
          email?: string;
          facebook_url?: string;
          fssai_number?: string;
          grievance_email?: string;
          grievance_hours?: string;
          grievance_officer?: string;
          grievance_phone?: string;
          gstin?: string;
          id?: boolean;
          instagram_url?: string;
          legal_name?: string;
          name: string;
          state?: string;
          updated_at?: string;
          weekly_off?: number[];
          whatsapp_number?: string;
        };
        Update: {
          address?: string;
          cart_flat_charge?: number | string;
          cart_shipping?: string;
          cart_zone_from_grams?: number | null;
          cutoff_time?: string;
          email?: string;
          facebook_url?: string;
          fssai_number?: string;
          grievance_email?: string;
          grievance_hours?: string;
          grievance_officer?: string;
          grievance_phone?: string;
          gstin?: string;
          id?: boolean;
          instagram_url?: string;
          legal_name?: string;
          name?: string;
          state?: string;
          updated_at?: string;
          weekly_off?: number[];
          whatsapp_number?: string;
        };
        Relationships: [];
      };
      stock_count_lines: {
        Row: {
          count_id: string;
          counted: number;
          counted_at: string;
          expected: number;
          movement_id: number | null;
          product_id: number;
        };
        Insert: {
          count_id: string;
          counted: number;
          counted_at: string;
          expected: number;
          movement_id?: number | null;
          product_id: number;
        };
        Update: {
          count_id?: string;
          counted?: number;
          counted_at?: string;
          expected?: number;
          movement_id?: number | null;
          product_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'stock_count_lines_count_id_fkey';
            columns: ['count_id'];
            isOneToOne: false;
            referencedRelation: 'stock_counts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'stock_count_lines_movement_id_fkey';
            columns: ['movement_id'];
            isOneToOne: true;
            referencedRelation: 'stock_movements';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'stock_count_lines_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      stock_counts: {
        Row: {
          applied_at: string;
          id: string;
          note: string;
          refused: Json;
        };
        Insert: {
          applied_at: string;
          id: string;
          note?: string;
          refused?: Json;
        };
        Update: {
          applied_at?: string;
          id?: string;
          note?: string;
          refused?: Json;
        };
        Relationships: [];
      };
      stock_levels: {
        Row: {
          low_at: number;
          on_hand: number;
          product_id: number;
          reserved: number;
          updated_at: string;
        };
        Insert: {
          low_at?: number;
          on_hand?: number;
          product_id: number;
          reserved?: number;
          updated_at?: string;
        };
        Update: {
          low_at?: number;
          on_hand?: number;
          product_id?: number;
          reserved?: number;
          updated_at?: string;
        };
        Relationships: [
          {
            foreignKeyName: 'stock_levels_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: true;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
        ];
      };
      stock_movements: {
        Row: {
          created_at: string;
          entry_id: string | null;
          id: number;
          note: string;
          order_id: string | null;
          product_id: number;
          quantity: number;
          reason: string;
          undoes: number | null;
          was_reserved: boolean;
        };
        Insert: {
          created_at?: string;
          entry_id?: string | null;
          note?: string;
          order_id?: string | null;
          product_id: number;
          quantity: number;
          reason: string;
          undoes?: number | null;
          was_reserved?: boolean;
        };
        Update: {
          created_at?: string;
          entry_id?: string | null;
          note?: string;
          order_id?: string | null;
          product_id?: number;
          quantity?: number;
          reason?: string;
          undoes?: number | null;
          was_reserved?: boolean;
        };
        Relationships: [
          {
            foreignKeyName: 'stock_movements_order_id_fkey';
            columns: ['order_id'];
            isOneToOne: false;
            referencedRelation: 'orders';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'stock_movements_product_id_fkey';
            columns: ['product_id'];
            isOneToOne: false;
            referencedRelation: 'Products';
            referencedColumns: ['Id'];
          },
          {
            foreignKeyName: 'stock_movements_undoes_fkey';
            columns: ['undoes'];
            isOneToOne: true;
            referencedRelation: 'stock_movements';
            referencedColumns: ['id'];
          },
        ];
      };
      testimonials: {
        Row: {
          author: string;
          entry_id: string | null;
          id: number;
          is_published: boolean;
          position: number;
          stars: number;
          text: string;
          title: string;
          updated_at: string;
        };
        Insert: {
          author: string;
          entry_id?: string | null;
          id?: number;
          is_published?: boolean;
          position?: number;
          stars: number;
          text: string;
          title: string;
          updated_at?: string;
        };
        Update: {
          author?: string;
          entry_id?: string | null;
          id?: number;
          is_published?: boolean;
          position?: number;
          stars?: number;
          text?: string;
          title?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
      user_profiles: {
        Row: {
          avatar_url: string | null;
          building_no: string | null;
          city: string | null;
          created_at: string;
          full_name: string | null;
          phone: string | null;
          state: string | null;
          street: string | null;
          updated_at: string;
          user_id: string;
          zip: string | null;
        };
        Insert: {
          avatar_url?: string | null;
          building_no?: string | null;
          city?: string | null;
          created_at?: string;
          full_name?: string | null;
          phone?: string | null;
          state?: string | null;
          street?: string | null;
          updated_at?: string;
          user_id: string;
          zip?: string | null;
        };
        Update: {
          avatar_url?: string | null;
          building_no?: string | null;
          city?: string | null;
          created_at?: string;
          full_name?: string | null;
          phone?: string | null;
          state?: string | null;
          street?: string | null;
          updated_at?: string;
          user_id?: string;
          zip?: string | null;
        };
        Relationships: [];
      };
      vendor_bills: {
        Row: {
          adjustment: number | string;
          amount: number | string;
          bill_number: string;
          billed_on: string;
          canceled_at: string | null;
          created_at: string;
          due_on: string;
          goods: number | string;
          gst: number | string;
          id: number;
          receipt_id: string;
          vendor_id: number;
        };
        Insert: {
          adjustment?: number | string;
          amount: number | string;
          bill_number?: string;
          billed_on: string;
          canceled_at?: string | null;
          created_at?: string;
          due_on: string;
          goods: number | string;
          gst: number | string;
          id?: number;
          receipt_id: string;
          vendor_id: number;
        };
        Update: {
          adjustment?: number | string;
          amount?: number | string;
          bill_number?: string;
          billed_on?: string;
          canceled_at?: string | null;
          created_at?: string;
          due_on?: string;
          goods?: number | string;
          gst?: number | string;
          id?: number;
          receipt_id?: string;
          vendor_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'vendor_bills_receipt_id_fkey';
            columns: ['receipt_id'];
            isOneToOne: true;
            referencedRelation: 'purchase_receipts';
            referencedColumns: ['id'];
          },
          {
            foreignKeyName: 'vendor_bills_vendor_id_fkey';
            columns: ['vendor_id'];
            isOneToOne: false;
            referencedRelation: 'vendors';
            referencedColumns: ['id'];
          },
        ];
      };
      vendor_payments: {
        Row: {
          amount: number | string;
          created_at: string;
          id: string;
          mode: string;
          paid_on: string;
          reference: string;
          undone_at: string | null;
          vendor_id: number;
        };
        Insert: {
          amount: number | string;
          created_at?: string;
          id: string;
          mode: string;
          paid_on: string;
          reference?: string;
          undone_at?: string | null;
          vendor_id: number;
        };
        Update: {
          amount?: number | string;
          created_at?: string;
          id?: string;
          mode?: string;
          paid_on?: string;
          reference?: string;
          undone_at?: string | null;
          vendor_id?: number;
        };
        Relationships: [
          {
            foreignKeyName: 'vendor_payments_vendor_id_fkey';
            columns: ['vendor_id'];
            isOneToOne: false;
            referencedRelation: 'vendors';
            referencedColumns: ['id'];
          },
        ];
      };
      vendors: {
        Row: {
          archived_at: string | null;
          contact_name: string;
          created_at: string;
          email: string;
          fssai_number: string;
          gstin: string;
          id: number;
          name: string;
          notes: string;
          payment_terms_days: number;
          phone: string;
          updated_at: string;
        };
        Insert: {
          archived_at?: string | null;
          contact_name?: string;
          created_at?: string;
          email?: string;
          fssai_number?: string;
          gstin?: string;
          id?: number;
          name: string;
          notes?: string;
          payment_terms_days?: number;
          phone?: string;
          updated_at?: string;
        };
        Update: {
          archived_at?: string | null;
          contact_name?: string;
          created_at?: string;
          email?: string;
          fssai_number?: string;
          gstin?: string;
          id?: number;
          name?: string;
          notes?: string;
          payment_terms_days?: number;
          phone?: string;
          updated_at?: string;
        };
        Relationships: [];
      };
    };
    Views: {
      order_details_view: {
        Row: {
          box_id: number | null;
          cancel_reason: string | null;
          contents: Json | null;
          courier: string | null;
          created_at: string | null;
          deliver_on: string | null;
          delivery_by: string | null;
          discount: number | string | null;
          fulfilment: string | null;
          group_id: string | null;
          group_place: number | null;
          has_size: boolean | null;
          item_discount: number | string | null;
          missed_day: string | null;
          number: number | null;
          offers: Json | null;
          order_id: string | null;
          payment_status: string | null;
          product_id: number | null;
          product_image: string | null;
          product_name: string | null;
          quantity: number | null;
          shipping_charge: number | string | null;
          shipping_tax: number | string | null;
          size: number | null;
          status: string | null;
          sub_total: number | string | null;
          tax: number | string | null;
          total_amount: number | string | null;
          tracking_number: string | null;
          tracking_url: string | null;
          unit_price: number | string | null;
          user_id: string | null;
        };
        Relationships: [];
      };
    };
    Functions: {
      add_claim_photo: { Args: { asker: string | null; claim_id: string | null; entry_id: string | null; type: string | null; width: number | null; height: number | null; content: string | null; link?: string | null; at?: string | null }; Returns: Json | null };
      admin_acknowledge_claim: { Args: { claim_id: string | null; seen: string | null }; Returns: Json | null };
      admin_add_order_note: { Args: { order_id: string | null; note: string | null; entry_id?: string | null }; Returns: Json | null };
      admin_answer_claim: { Args: { claim_id: string | null; words: string | null; entry_id: string | null }; Returns: Json | null };
      admin_apply_count: { Args: { count_id: string | null; lines: Json | null; note?: string | null; at?: string | null }; Returns: Json | null };
      admin_block_customer: { Args: { customer_id: string | null; blocked: boolean | null; reason: string | null; seen: string | null; at?: string | null }; Returns: Json | null };
      admin_cancel_order: { Args: { order_id: string | null; reason: string | null; goods: string | null; seen: string | null }; Returns: Json | null };
      admin_change_address: { Args: { order_id: string | null; delivery: Json | null; seen: string | null }; Returns: Json | null };
      admin_change_products: { Args: { products: Json | null }; Returns: Json | null };
      admin_change_tracking: { Args: { order_id: string | null; courier: string | null; tracking_number: string | null; tracking_url: string | null; seen: string | null }; Returns: Json | null };
      admin_close_month: { Args: { month: string | null; seen_profit_paise: number | null; at?: string | null }; Returns: Json | null };
      admin_create_phone_order: { Args: { order_id: string | null; lines: Json | null; fulfilment: string | null; delivery: Json | null; total_paise: number | null; shipping_paise?: number | null; offline_method?: string | null; customer_id?: string | null; note?: string | null }; Returns: Json | null };
      admin_delete_box_size: { Args: { box_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_category: { Args: { category_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_closure: { Args: { closure_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_courier: { Args: { courier_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_cutoff: { Args: { cutoff_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_missed_search: { Args: { typed: string | null }; Returns: undefined | null };
      admin_delete_offer: { Args: { offer_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_product: { Args: { product_id: number | null; seen: string | null }; Returns: Json | null };
      admin_delete_purchase: { Args: { purchase_id: number | null; seen: string | null }; Returns: undefined | null };
      admin_delete_search_words: { Args: { id: number | null; seen: string | null }; Returns: undefined | null };
      admin_delete_zone: { Args: { zone_id: number | null; seen: string | null }; Returns: Json | null };
      admin_deliver_replacement: { Args: { claim_id: string | null; seen: string | null }; Returns: Json | null };
      admin_duplicate_product: { Args: { product_id: number | null }; Returns: Json | null };
      admin_end_sessions: { Args: { customer_id: string | null }; Returns: number | null };
      admin_enter_due_expense: { Args: { expense_id: number | null; due_on: string | null; entry?: Json | null }; Returns: Json | null };
      admin_erase_customer: { Args: { customer_id: string | null; confirmation: string | null }; Returns: Json | null };
      admin_find_anything: { Args: { typed?: string | null; recent?: Json | null; at?: string | null }; Returns: Json | null };
      admin_find_callers: { Args: { phone: string | null }; Returns: Json | null };
      admin_find_items: { Args: { search: string | null; vendor_id?: number | null }; Returns: Json | null };
      admin_find_sweets: { Args: { search: string | null }; Returns: Json | null };
      admin_hide_review: { Args: { review_id: number | null; hidden: boolean | null; seen: string | null }; Returns: Json | null };
      admin_import_products: { Args: { rows: Json | null; dry_run: boolean | null; fingerprint?: string | null }; Returns: Json | null };
      admin_list_bought_items: { Args: { vendor_id?: number | null; search?: string | null }; Returns: Json | null };
      admin_list_categories: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_list_claims: { Args: { shown?: string | null; after?: string | null; at?: string | null }; Returns: Json | null };
      admin_list_couriers: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_list_customer_choices: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_list_customer_orders: { Args: { customer_id: string | null; after?: string | null }; Returns: Json | null };
      admin_list_customers: { Args: { search?: string | null; city?: string | null; tag?: string | null; blocked?: boolean | null; has_ordered?: boolean | null; last_order_from?: string | null; last_order_to?: string | null; sort?: string | null; descending?: boolean | null; after?: string | null; page_size?: number | null }; Returns: Json | null };
      admin_list_due_expenses: { Args: { at?: string | null }; Returns: Json | null };
      admin_list_expenses: { Args: { filter?: Json | null; by?: string | null; after?: Json | null }; Returns: Json | null };
      admin_list_log_choices: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_list_movements: { Args: { filter?: Json | null; after?: Json | null }; Returns: Json | null };
      admin_list_offers: { Args: { at?: string | null }; Returns: Json | null };
      admin_list_orders: { Args: { filter?: Json | null; sort?: string | null; after?: Json | null; at?: string | null }; Returns: Json | null };
      admin_list_payables: { Args: { at?: string | null }; Returns: Json | null };
      admin_list_products: { Args: { filter?: Json | null; sort?: string | null; descending?: boolean | null; after?: Json | null; page_size?: number | null }; Returns: Json | null };
      admin_list_purchases: { Args: { filter?: Json | null; after?: Json | null }; Returns: Json | null };
      admin_list_refunds: { Args: { shown?: string | null; age?: string | null; state?: string | null; after?: string | null; at?: string | null }; Returns: Json | null };
      admin_list_reviews: { Args: { search?: string | null; shown?: string | null; rating?: number | null; customer_id?: string | null; after?: string | null }; Returns: Json | null };
      admin_list_search_words: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_list_stock: { Args: { filter?: Json | null; after?: Json | null; at?: string | null; page_size?: number | null }; Returns: Json | null };
      admin_list_vendor_account: { Args: { vendor_id: number | null; after?: Json | null }; Returns: Json | null };
      admin_list_vendors: { Args: { search?: string | null; with_archived?: boolean | null; at?: string | null }; Returns: Json | null };
      admin_make_order_link: { Args: { order_id: string | null }; Returns: Json | null };
      admin_mark_order_paid: { Args: { order_id: string | null; method: string | null; seen: string | null }; Returns: Json | null };
      admin_move_order: { Args: { order_id: string | null; to_status: string | null; seen: string | null; public_note?: string | null; courier?: string | null; tracking_number?: string | null; tracking_url?: string | null }; Returns: Json | null };
      admin_move_orders: { Args: { moves: Json | null; to_status: string | null }; Returns: Json | null };
      admin_move_purchase: { Args: { purchase_id: number | null; seen: string | null; to_status: string | null; at?: string | null }; Returns: Json | null };
      admin_order_categories: { Args: { category_ids: number[] | null }; Returns: undefined | null };
      admin_order_rows: { Args: { table_name: string | null; ids: number[] | null; seen: number[] | null }; Returns: Json | null };
      admin_pay_vendor: { Args: { payment_id: string | null; vendor_id: number | null; owed_seen_paise: number | null; amount_paise: number | null; paid_on: string | null; mode: string | null; reference?: string | null; at?: string | null }; Returns: Json | null };
      admin_preview_erasure: { Args: { customer_id: string | null }; Returns: Json | null };
      admin_price_order: { Args: { lines: Json | null; fulfilment: string | null; pincode?: string | null; shipping_paise?: number | null }; Returns: Json | null };
      admin_print_orders: { Args: { order_ids: string[] | null }; Returns: Json | null };
      admin_read_boxes: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_read_claim: { Args: { claim_id: string | null; at?: string | null }; Returns: Json | null };
      admin_read_count_moment: { Args: { product_id: number | null }; Returns: Json | null };
      admin_read_count_sheet: { Args: { category?: string | null }; Returns: Json | null };
      admin_read_customer: { Args: { customer_id: string | null }; Returns: Json | null };
      admin_read_dashboard: { Args: { period?: string | null; at?: string | null }; Returns: Json | null };
      admin_read_delivery: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_read_documents: { Args: { order_id: string | null }; Returns: Json | null };
      admin_read_gift_figures: { Args: { at?: string | null }; Returns: Json | null };
      admin_read_group: { Args: { group_id: string | null; at?: string | null }; Returns: Json | null };
      admin_read_gst: { Args: { year: number | null }; Returns: Json | null };
      admin_read_item_prices: { Args: { item_name: string | null }; Returns: Json | null };
      admin_read_kitchen: { Args: { only_due?: boolean | null; at?: string | null; packed_on?: string | null }; Returns: Json | null };
      admin_read_log: { Args: { table_name?: string | null; row_id?: string | null; actor_id?: string | null; before_id?: number | null; tables?: string[] | null; first_day?: string | null; last_day?: string | null; customer_id?: string | null }; Returns: Json | null };
      admin_read_month_profit: { Args: { at?: string | null }; Returns: Json | null };
      admin_read_offer: { Args: { offer_id: number | null; at?: string | null }; Returns: Json | null };
      admin_read_order: { Args: { order_id: string | null }; Returns: Json | null };
      admin_read_product: { Args: { product_id: number | null }; Returns: Json | null };
      admin_read_profit: { Args: { year: number | null; at?: string | null }; Returns: Json | null };
      admin_read_purchase: { Args: { purchase_id: number | null }; Returns: Json | null };
      admin_read_security_log: { Args: { kinds?: string[] | null; person?: string | null; first_day?: string | null; last_day?: string | null; before_id?: number | null }; Returns: Json | null };
      admin_read_shop: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_read_stock: { Args: { product_id: number | null; at?: string | null }; Returns: Json | null };
      admin_read_stock_summary: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_read_stock_value: { Args: Record<PropertyKey, never>; Returns: Json | null };
      admin_read_todo: { Args: { at?: string | null }; Returns: Json | null };
      admin_read_vendor: { Args: { vendor_id: number | null; at?: string | null }; Returns: Json | null };
      admin_read_work: { Args: { at?: string | null }; Returns: Json | null };
      admin_receive_purchase: { Args: { receipt_id: string | null; purchase_id: number | null; seen: string | null; lines: Json | null; billed_on?: string | null; bill_number?: string | null; adjustment_paise?: number | null; allow_more?: boolean | null; at?: string | null }; Returns: Json | null };
      admin_record_movement: { Args: { product_id: number | null; reason: string | null; units: number | null; note?: string | null; at?: string | null; entry_id?: string | null }; Returns: Json | null };
      admin_record_refund: { Args: { order_id: string | null; refund_id: string | null; amount_paise: number | null; method: string | null; reference: string | null; paid_on: string | null }; Returns: Json | null };
      admin_refund_claim: { Args: { claim_id: string | null; items: Json | null; shipping_paise: number | null; words: string | null; seen: string | null }; Returns: Json | null };
      admin_refund_order: { Args: { order_id: string | null; amount_paise: number | null; reason: string | null; seen: string | null; order_item_id?: number | null; method?: string | null; reference?: string | null; paid_on?: string | null }; Returns: Json | null };
      admin_refuse_claim: { Args: { claim_id: string | null; words: string | null; seen: string | null }; Returns: Json | null };
      admin_remove_box_sweet: { Args: { product_id: number | null; seen: string | null }; Returns: Json | null };
      admin_reopen_month: { Args: { month: string | null; reason: string | null; at?: string | null }; Returns: Json | null };
      admin_replace_claim: { Args: { claim_id: string | null; items: Json | null; words: string | null; seen: string | null }; Returns: Json | null };
      admin_resend_mail: { Args: { order_id: string | null; mail_key: string | null }; Returns: Json | null };
      admin_retry_refund: { Args: { order_id: string | null; refund_id: string | null; seen: string | null }; Returns: Json | null };
      admin_revoke_order_links: { Args: { order_id: string | null }; Returns: undefined | null };
      admin_save_box_size: { Args: { name: string | null; places: number | null; price_paise: number | null; weight_grams: number | null; is_listed: boolean | null; box_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_box_sweet: { Args: { product_id: number | null; piece_grams: number | null; piece_image?: string | null; seen?: string | null }; Returns: Json | null };
      admin_save_cart_shipping: { Args: { kind: string | null; flat_paise: number | null; zone_from_grams: number | null; seen: string | null }; Returns: Json | null };
      admin_save_category: { Args: { name: string | null; colour?: string | null; category_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_closure: { Args: { closure_id: number | null; starts_on: string | null; ends_on: string | null; reason: string | null; seen?: string | null }; Returns: Json | null };
      admin_save_courier: { Args: { name: string | null; tracking_pattern?: string | null; courier_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_customer_record: { Args: { customer_id: string | null; notes: string | null; tags: string[] | null; seen: string | null }; Returns: Json | null };
      admin_save_cutoff: { Args: { cutoff_id: number | null; name: string | null; starts_on: string | null; ends_on: string | null; order_by: string | null; zone_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_offer: { Args: { name: string | null; kind: string | null; from_day: string | null; code?: string | null; percent?: number | null; amount_paise?: number | null; max_discount_paise?: number | null; min_order_paise?: number | null; categories?: string[] | null; is_first_order_only?: boolean | null; max_uses?: number | null; max_uses_per_customer?: number | null; budget_paise?: number | null; until_day?: string | null; combines?: boolean | null; offer_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_product: { Args: { changes: Json | null; product_id?: number | null; seen?: string | null }; Returns: Json | null };
      admin_save_purchase: { Args: { purchase_id: number | null; seen: string | null; vendor_id: number | null; expected_on: string | null; notes: string | null; lines: Json | null; at?: string | null; entry_id?: string | null }; Returns: Json | null };
      admin_save_purchase_note: { Args: { purchase_id: number | null; seen: string | null; expected_on: string | null; notes: string | null }; Returns: Json | null };
      admin_save_search_words: { Args: { words: string[] | null; id?: number | null; seen?: string | null }; Returns: number | null };
      admin_save_shop: { Args: { changes: Json | null; seen: string | null }; Returns: Json | null };
      admin_save_working_days: { Args: { cutoff_time: string | null; weekly_off: number[] | null; seen: string | null }; Returns: Json | null };
      admin_save_zone: { Args: { zone_id: number | null; name: string | null; pincode_prefixes: string[] | null; first_kg_paise: number | null; extra_kg_paise: number | null; min_days: number | null; max_days: number | null; is_published: boolean | null; seen?: string | null }; Returns: Json | null };
      admin_send_again: { Args: { order_id: string | null; delivery: Json | null; seen: string | null; courier?: string | null; tracking_number?: string | null; tracking_url?: string | null }; Returns: Json | null };
      admin_send_replacement: { Args: { claim_id: string | null; courier: string | null; tracking_number: string | null; tracking_url: string | null; seen: string | null }; Returns: Json | null };
      admin_set_low_mark: { Args: { product_id: number | null; seen: number | null; low_at: number | null }; Returns: Json | null };
      admin_skip_due_expense: { Args: { expense_id: number | null; due_on: string | null }; Returns: Json | null };
      admin_stop_offer: { Args: { offer_id: number | null; is_stopped: boolean | null; seen: string | null; at?: string | null }; Returns: Json | null };
      admin_try_delivery: { Args: { pincode: string | null; at?: string | null; grams?: number | null }; Returns: Json | null };
      admin_undo_movement: { Args: { movement_id: number | null; at?: string | null }; Returns: Json | null };
      admin_undo_moves: { Args: { moves: Json | null }; Returns: Json | null };
      admin_undo_receipt: { Args: { receipt_id: string | null; seen: string | null; at?: string | null }; Returns: Json | null };
      admin_undo_vendor_payment: { Args: { payment_id: string | null; at?: string | null }; Returns: Json | null };
      answer_claim: { Args: { asker: string | null; claim_id: string | null; words: string | null; entry_id: string | null; link?: string | null; at?: string | null }; Returns: Json | null };
      are_sessions_active: { Args: { calls: Json | null }; Returns: Json | null };
      attach_provider_order: { Args: { checkout_id: string | null; provider_order_id: string | null }; Returns: string | null };
      attach_provider_orders: { Args: { calls: Json | null }; Returns: Json | null };
      box_page: { Args: Record<PropertyKey, never>; Returns: Json | null };
      cart_by_link: { Args: { token: string | null }; Returns: Json | null };
      check_delivery: { Args: { pincode: string | null; product_ids?: number[] | null; grams?: number | null }; Returns: Json | null };
      check_invariants: { Args: Record<PropertyKey, never>; Returns: ({ invariant: number | null; subject: string | null; detail: string | null })[] };
      check_invariants_part: { Args: { part: number | null; parts: number | null }; Returns: ({ invariant: number | null; subject: string | null; detail: string | null })[] };
      check_writable: { Args: Record<PropertyKey, never>; Returns: undefined | null };
      choose_consent: { Args: { purpose: string | null; agreed: boolean | null; source?: string | null }; Returns: Json | null };
      claim_jobs: { Args: { site_url: string | null; at?: string | null; most?: number | null }; Returns: Json | null };
      correct_due_times: { Args: { at?: string | null }; Returns: undefined | null };
      correct_recipient: { Args: { order_id: string | null; delivery: Json | null }; Returns: Json | null };
      count_orders: { Args: Record<PropertyKey, never>; Returns: Json | null };
      count_product_pairs: { Args: { at?: string | null }; Returns: boolean | null };
      delete_old_ip_hashes: { Args: { at?: string | null }; Returns: undefined | null };
      delivery_calendar: { Args: { pincode: string | null; product_ids?: number[] | null }; Returns: Json | null };
      end_my_session: { Args: { session_id: string | null }; Returns: boolean | null };
      end_my_sessions: { Args: Record<PropertyKey, never>; Returns: number | null };
      erase_me: { Args: { confirmation: string | null }; Returns: boolean | null };
      export_customers: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_documents: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_expenses: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_gst: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_orders: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_products: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      export_profit: { Args: { filter: Json | null; after: Json | null; at: string | null }; Returns: Json | null };
      finish_check: { Args: { provider_order_id: string | null; at?: string | null; is_clear?: boolean | null }; Returns: undefined | null };
      finish_job: { Args: { job_id: number | null; note?: string | null; at?: string | null }; Returns: undefined | null };
      finish_jobs: { Args: { calls: Json | null }; Returns: Json | null };
      get_user_info: { Args: { user_id: string | null }; Returns: { name: string | null; avatar_url: string | null } };
      goes_well_with: { Args: { product_id: number | null }; Returns: Json | null };
      home_page: { Args: Record<PropertyKey, never>; Returns: Json | null };
      is_administrator: { Args: { user_id: string | null }; Returns: boolean | null };
      is_session_active: { Args: { session_id: string | null; user_id: string | null }; Returns: boolean | null };
      my_checkout: { Args: { provider_order_id: string | null }; Returns: Json | null };
      my_consents: { Args: Record<PropertyKey, never>; Returns: Json | null };
      my_documents: { Args: { order_ids: string[] | null }; Returns: Json | null };
      my_erasure: { Args: Record<PropertyKey, never>; Returns: Json | null };
      my_gift_again: { Args: { order_id: string | null }; Returns: Json | null };
      my_gifts: { Args: { order_ids: string[] | null }; Returns: Json | null };
      my_group: { Args: { reference: string | null }; Returns: Json | null };
      my_group_again: { Args: { group_id: string | null }; Returns: Json | null };
      my_groups: { Args: { group_ids: string[] | null }; Returns: Json | null };
      my_order_again: { Args: { order_id: string | null }; Returns: Json | null };
      my_order_link: { Args: { order_id: string | null }; Returns: Json | null };
      my_refunds: { Args: { before?: string | null; before_id?: string | null }; Returns: ({ id: string | null; order_id: string | null; amount_paise: number | null; status: string | null; reason: string | null; created_at: string | null; processed_at: string | null; due_on: string | null; accepted_at: string | null; next_try_at: string | null; method: string | null; paid_on: string | null; reference: string | null; provider_refund_id: string | null; attempted_at: string | null })[] };
      my_sessions: { Args: Record<PropertyKey, never>; Returns: ({ id: string | null; started_at: string | null; last_used_at: string | null; user_agent: string | null; is_current: boolean | null })[] };
      next_greeting_change: { Args: { at?: string | null }; Returns: string | null };
      open_checkout: { Args: { customer_id: string | null; amount_paise: number | null; quote_id?: string | null; at?: string | null; ip_hash?: string | null; address_id?: string | null; gift?: Json | null }; Returns: Json | null };
      open_checkouts: { Args: { calls: Json | null }; Returns: Json | null };
      open_claim: { Args: { asker: string | null; order_id: string | null; items: Json | null; words: string | null; entry_id: string | null; link?: string | null; at?: string | null }; Returns: Json | null };
      open_group: { Args: { customer_id: string | null; recipients: Json | null; card: Json | null; key: string | null; ip_hash?: string | null; at?: string | null }; Returns: Json | null };
      order_by_link: { Args: { token: string | null }; Returns: Json | null };
      page_frame: { Args: { at?: string | null }; Returns: Json | null };
      popular_products: { Args: Record<PropertyKey, never>; Returns: Json | null };
      postpone_job: { Args: { job_id: number | null; problem: string | null; at?: string | null }; Returns: undefined | null };
      product_id_by_name: { Args: { name: string | null }; Returns: number | null };
      product_page: { Args: { product_id: number | null }; Returns: Json | null };
      product_page_by_name: { Args: { name: string | null }; Returns: Json | null };
      product_reviews: { Args: { product_id: number | null; before_id?: number | null; max_rows?: number | null }; Returns: ({ id: number | null; content: string | null; rating: number | null; created_at: string | null; updated_at: string | null; user_id: string | null; author_name: string | null; author_avatar_url: string | null; is_verified: boolean | null })[] };
      queue_cart_reminders: { Args: { at?: string | null }; Returns: number | null };
      queue_gift_reminders: { Args: { at?: string | null }; Returns: number | null };
      queue_metrics: { Args: { at?: string | null }; Returns: Json | null };
      queue_refund_delays: { Args: { at?: string | null }; Returns: number | null };
      quote_group: { Args: { customer_id: string | null; recipients: Json | null; card: Json | null; at?: string | null }; Returns: Json | null };
      quote_order: { Args: { customer_id: string | null; lines: Json | null; pincode: string | null; source: string | null; fulfilment: string | null; at?: string | null; delivery_on?: string | null; code?: string | null }; Returns: Json | null };
      quote_orders: { Args: { calls: Json | null }; Returns: Json | null };
      read_claim_photo: { Args: { asker: string | null; photo_id: string | null; at?: string | null }; Returns: Json | null };
      read_claims: { Args: { asker: string | null; order_id: string | null; link?: string | null; at?: string | null }; Returns: Json | null };
      read_document: { Args: { asker: string | null; order_id: string | null; credit_note?: string | null }; Returns: Json | null };
      read_documents: { Args: { asker: string | null; order_ids?: string[] | null; month?: string | null; after?: Json | null }; Returns: Json | null };
      read_own_data: { Args: { customer_id: string | null; part: string | null; after?: number[] | null }; Returns: Json | null };
      record_download: { Args: { user_id: string | null; what: string | null; user_agent?: string | null }; Returns: undefined | null };
      record_missed_search: { Args: { query: string | null }; Returns: undefined | null };
      record_payment_event: { Args: { event_id: string | null; name: string | null; provider_order_id: string | null; payment_id: string | null; provider_refund_id: string | null; at?: string | null }; Returns: boolean | null };
      record_refund: { Args: { refund_id: string | null; provider_refund_id: string | null; status: string | null; at?: string | null; problem?: string | null; reference?: string | null }; Returns: undefined | null };
      refresh_figures: { Args: { at?: string | null }; Returns: boolean | null };
      refresh_popular_products: { Args: { at?: string | null }; Returns: undefined | null };
      renew_leases: { Args: { job_ids: number[] | null; at?: string | null }; Returns: undefined | null };
      revoke_my_order_links: { Args: { order_id: string | null }; Returns: Json | null };
      schema_checksums: { Args: Record<PropertyKey, never>; Returns: Json | null };
      schema_versions: { Args: Record<PropertyKey, never>; Returns: string[] | null };
      search_products: { Args: { query: string | null; most?: number | null; min_price?: number | string | null; max_price?: number | string | null; sort?: string | null; category?: string | null }; Returns: Json | null };
      set_notification: { Args: { customer_id: string | null; product_id: number | null; wanted: boolean | null }; Returns: boolean | null };
      settle_payment: { Args: { provider_order_id: string | null; payment_id: string | null; amount_paise: number | null; currency: string | null; method?: string | null; fee_paise?: number | null; is_refunded_by_provider?: boolean | null; at?: string | null }; Returns: Json | null };
      settle_payments: { Args: { calls: Json | null }; Returns: Json | null };
      shop_page: { Args: { categories: string[] | null; min_price: number | string | null; max_price: number | string | null; sort: string | null; per_section: number | null }; Returns: Json | null };
      sitemap_products: { Args: Record<PropertyKey, never>; Returns: Json | null };
      stop_messages: { Args: { token: string | null }; Returns: string | null };
      sweep: { Args: { at?: string | null }; Returns: undefined | null };
      sweep_sign_ins: { Args: { at?: string | null }; Returns: undefined | null };
    };
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
