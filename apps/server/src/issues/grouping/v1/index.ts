export { explain, group, VERSION } from './algorithm.ts'
export { parseFingerprintRules } from './fingerprint-rules.ts'
export { parseStackRules, type RuleError } from './stack-rules.ts'
