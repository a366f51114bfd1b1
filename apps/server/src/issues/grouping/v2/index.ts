/**
 * The second version. What it does not change it takes from version 1, which is as frozen as this one; changed files are
 * copies. Against version 1:
 *
 * - Frames that not every browser writes do not count (`low-quality.ts`), and what engines say themselves is one sentence
 *   (`engine-messages.ts`), so that one error is one issue in Chrome, Firefox and Safari.
 * - The message of the program is no part of the hash when the frame that threw has no name.
 * - Async methods and lambdas of .NET have the names of the source (`dotnet.ts`).
 * - Native frames without a name count by library and offset (`images.ts`).
 * - An error with a cause counts alone when it says where it was thrown (`exceptions.ts`).
 */
export { explain, group, hashes, VERSION } from './algorithm.ts'
