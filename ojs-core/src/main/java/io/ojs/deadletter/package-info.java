/**
 * Dead letters in the job store: recorded, listed, replayed and deleted (OJS Dead
 * Letter).
 */
@NullMarked
package io.ojs.deadletter;

import org.jspecify.annotations.NullMarked;
