export { explain, group, hashes, VERSION } from './algorithm.ts'
