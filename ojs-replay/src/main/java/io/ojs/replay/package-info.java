/**
 * Dead letters back to work, from the command line.
 */
@NullMarked
package io.ojs.replay;

import org.jspecify.annotations.NullMarked;
