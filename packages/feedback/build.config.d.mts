import type { InputOptions, OutputOptions } from 'rolldown'

declare const config: InputOptions & { readonly output: OutputOptions }
export default config
