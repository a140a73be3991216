/**
 * The job: its envelope, its states, and the rules that its fields obey (OJS Core §5,
 * §6).
 */
@NullMarked
package io.ojs.job;

import org.jspecify.annotations.NullMarked;
