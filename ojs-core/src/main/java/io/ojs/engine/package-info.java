/**
 * State transitions of stored jobs, the events that they record, and who may start, for
 * whatever keeps the rows. Meant for stores alone.
 */
@NullMarked
package io.ojs.engine;

import org.jspecify.annotations.NullMarked;
