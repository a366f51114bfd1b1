import type { Detector, Rule } from '../finding.ts'
import { SLOWDOWN } from '../slowdown.ts'
import { consecutiveDb, mnPlusOneDb, nPlusOneDb, slowDb } from './database.ts'
import { dbOnMainThread, fileOnMainThread, longTask, renderBlocking, uncompressedAsset } from './page.ts'
import { consecutiveHttp, largePayload, nPlusOneApi } from './requests.ts'

/** All rules over the spans of a segment; what one finds, those behind it do not find again. */
export const DETECTORS: readonly Detector[] = [
  nPlusOneDb,
  mnPlusOneDb,
  consecutiveDb,
  slowDb,
  nPlusOneApi,
  consecutiveHttp,
  largePayload,
  uncompressedAsset,
  renderBlocking,
  longTask,
  fileOnMainThread,
  dbOnMainThread,
]

/** All rules that a project has. */
export const RULES: readonly Rule[] = [...DETECTORS, SLOWDOWN]

/** Attributes that some rule looks at. */
export const FACTS: readonly string[] = [...new Set(DETECTORS.flatMap(({ facts }) => facts))]
