import { dotsOf, dotWords } from '../model/said-words.ts'
import styles from './WhatPeopleSaid.module.css'

const COLUMNS = 26
const STEP = 8
const RADIUS = 2.4

/** Each dot a person; those who wrote in accent, spread over the others as they were among them. */
export function Dots({ people, wrote }: { readonly people: number; readonly wrote: number }) {
  const counts = dotsOf(people, wrote)
  const { dots, accents } = counts
  const chosen = new Set(Array.from({ length: accents }, (_, index) => Math.floor(((index + 0.5) * dots) / accents)))
  const rows = Math.ceil(dots / COLUMNS)
  return (
    <svg
      className={styles.dots}
      width={Math.min(dots, COLUMNS) * STEP}
      height={rows * STEP}
      role="img"
      aria-label={dotWords(counts)}
    >
      {Array.from({ length: dots }, (_, index) => (
        <circle
          key={index}
          cx={(index % COLUMNS) * STEP + STEP / 2}
          cy={Math.floor(index / COLUMNS) * STEP + STEP / 2}
          r={chosen.has(index) ? RADIUS + 0.6 : RADIUS}
          className={chosen.has(index) ? styles.wrote : styles.silent}
        />
      ))}
    </svg>
  )
}
