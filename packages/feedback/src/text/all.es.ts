import { pictureTexts } from './picture.es.ts'
import { texts } from './es.ts'
import { topicTexts } from './topic.es.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }
