export { createSdkPages } from './sdk-pages.ts'
