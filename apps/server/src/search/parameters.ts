export type ParameterValue = string | number | readonly string[] | readonly number[]

/** Binds a value of a caller to a statement; answers what stands for it in the text. */
export type Bind = (value: ParameterValue, type?: ParameterType) => string

export type ParameterType =
  | 'String'
  | 'Float64'
  | 'Int64'
  | 'UInt32'
  | 'UInt64'
  | 'UUID'
  | 'Array(String)'
  | 'Array(UInt64)'

/** The named parameters of one statement. Equal texts are one parameter, so that equal columns are equal text. */
export class Parameters {
  readonly values: Record<string, ParameterValue> = {}
  readonly #prefix: string
  readonly #known = new Map<string, string>()

  /** @param prefix keeps them apart from others of the same statement */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  readonly bind: Bind = (value, type = 'String') => {
    const key = `${type} ${JSON.stringify(value)}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const name = `${this.#prefix}${this.#known.size}`
    const placeholder = `{${name}:${type}}`
    this.#known.set(key, placeholder)
    this.values[name] = value
    return placeholder
  }
}
