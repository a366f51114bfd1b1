import type { Detector } from '../finding.ts'
import { consecutiveDb, mnPlusOneDb, nPlusOneDb, slowDb } from './database.ts'
import { dbOnMainThread, fileOnMainThread, longTask, renderBlocking, uncompressedAsset } from './page.ts'
import { consecutiveHttp, largePayload, nPlusOneApi } from './requests.ts'

/** All rules; what one finds, those behind it do not find again. */
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

/** Attributes that some rule looks at. */
export const FACTS: readonly string[] = [...new Set(DETECTORS.flatMap(({ facts }) => facts))]
