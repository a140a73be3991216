/**
 * The administration of jobs: what operators ask, and what they do to many jobs at once.
 * Not part of the API.
 */
@NullMarked
package io.ojs.internal.admin;

import org.jspecify.annotations.NullMarked;
