export { explain, group, VERSION } from './algorithm.ts'
