import type { ProjectSettings } from '../../../accounts/settings.ts'
import { RecentMap } from '../../../lib/recent-map.ts'
import { parseFingerprintRules, type FingerprintRules } from './fingerprint-rules.ts'
import { parseStackRules, type StackRules } from './stack-rules.ts'

export interface CompiledRules {
  readonly stackRules: StackRules
  readonly fingerprintRules: FingerprintRules
}

/** Rules are text in the settings; parsed once per text, not once per event, and once for all versions of grouping. */
const COMPILED_MAXIMUM = 64
const compiled = new RecentMap<string, CompiledRules>(COMPILED_MAXIMUM)
const NO_RULES: CompiledRules = {
  stackRules: { rules: [], errors: [] },
  fingerprintRules: { rules: [], errors: [] },
}

export const compileRules = ({ grouping }: ProjectSettings): CompiledRules => {
  const { stackTraceRules, fingerprintRules } = grouping
  if (stackTraceRules === '' && fingerprintRules === '') return NO_RULES
  const key = `${stackTraceRules}\0${fingerprintRules}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const fresh = {
    stackRules: parseStackRules(stackTraceRules),
    fingerprintRules: parseFingerprintRules(fingerprintRules),
  }
  compiled.set(key, fresh)
  return fresh
}
