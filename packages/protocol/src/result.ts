/** An expected failure is a value. The package has its own type because it depends on nothing. */
export type ParseResult<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure }
