import { pictureTexts } from './picture.es.ts'
import { texts } from './es.ts'

export const catalogue = { ...texts, ...pictureTexts }
