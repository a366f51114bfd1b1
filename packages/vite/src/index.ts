export type { FirsthandOptions } from './options.ts'
export { firsthand, type FirsthandPlugin } from './plugin.ts'
