/**
 * The administration of jobs: what operators ask, and what they do to many jobs at once.
 */
@NullMarked
package io.ojs.admin;

import org.jspecify.annotations.NullMarked;
