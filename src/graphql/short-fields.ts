import {
  type CompatibleTypes,
  type FieldKind,
  type Resolver,
  RootFieldBuilder,
  type SchemaTypes,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core';

/** Short forms of fields that have only a type, a description and a value. Other fields use Pothos' own forms. */

declare global {
  namespace PothosSchemaTypes {
    export interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      /** A field with a value that the row leads to. */
      value<Type extends TypeParam<Types>, Return>(
        type: Type,
        description: string,
        resolve: Resolver<ParentShape, object, Types['Context'], ShapeFromTypeParam<Types, Type, false>, Return>,
      ): FieldRef<Types, ShapeFromTypeParam<Types, Type, false>, Kind>;
      /** Like `value`, for a value that can be null. */
      nullable<Type extends TypeParam<Types>, Return>(
        type: Type,
        description: string,
        resolve: Resolver<ParentShape, object, Types['Context'], ShapeFromTypeParam<Types, Type, true>, Return>,
      ): FieldRef<Types, ShapeFromTypeParam<Types, Type, true>, Kind>;
      /** A field in EUR, from the cents of the row. */
      money(description: string, centsOf: (row: ParentShape) => number): FieldRef<Types, string | number, Kind>;
      /** A field for each column that is described, with the column's name. */
      columns<Type extends TypeParam<Types>, Name extends CompatibleTypes<Types, ParentShape, Type, false>>(
        type: Type,
        descriptions: Readonly<Record<Name, string>>,
      ): Record<Name, FieldRef<Types, ShapeFromTypeParam<Types, Type, false>, Kind>>;
      /** Like `columns`, for columns that can be null. */
      nullableColumns<Type extends TypeParam<Types>, Name extends CompatibleTypes<Types, ParentShape, Type, true>>(
        type: Type,
        descriptions: Readonly<Record<Name, string>>,
      ): Record<Name, FieldRef<Types, ShapeFromTypeParam<Types, Type, true>, Kind>>;
    }
  }
}

// The types above are checked where a field is declared. Here, every field has some type and some row.
type Fields = { field(options: object): never; exposeField(name: string, options: object): never };
type Row = Readonly<Record<string, unknown>>;

function exposed(t: Fields, nullable: boolean, type: unknown, descriptions: Readonly<Record<string, string>>): never {
  const fields = Object.entries(descriptions).map(([name, description]) => {
    return [name, t.exposeField(name, { type, nullable, description })];
  });
  return Object.fromEntries(fields) as never;
}

Object.assign(RootFieldBuilder.prototype, {
  value(this: Fields, type: unknown, description: string, resolve: unknown) {
    return this.field({ type, description, resolve });
  },
  nullable(this: Fields, type: unknown, description: string, resolve: unknown) {
    return this.field({ type, nullable: true, description, resolve });
  },
  money(this: Fields, description: string, centsOf: (row: Row) => number) {
    return this.field({ type: 'Money', description, resolve: (row: Row) => centsOf(row) / 100 });
  },
  columns(this: Fields, type: unknown, descriptions: Readonly<Record<string, string>>) {
    return exposed(this, false, type, descriptions);
  },
  nullableColumns(this: Fields, type: unknown, descriptions: Readonly<Record<string, string>>) {
    return exposed(this, true, type, descriptions);
  },
});
